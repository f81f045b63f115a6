package io.batchweave.cli.texts;

import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.cli.tokens.Tally;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.model.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All that an ingest gave, batch by batch.
 *
 * @param batches its batches
 * @param end the progress when nothing was left
 */
record Ingested(List<Batch> batches, Bytes end) {

    /** One batch of some slices, and the progress that would be committed with it. */
    record Batch(List<Row> rows, Tally tally, Bytes progress) {}

    record Row(List<Integer> tokens, int valid, List<Integer> docStarts) {}

    /** Reads {@code source} to its end and closes it. */
    static Ingested by(TokenSource source, int slices) {
        List<Batch> batches = new ArrayList<>();
        try (source) {
            RowBlock block = source.newBlock();
            while (source.fill(block)) {
                List<Row> rows = new ArrayList<>(rowsOf(block));
                Tally tally = block.tally();
                for (int slice = 1; slice < slices; slice++) {
                    source.fill(block);
                    rows.addAll(rowsOf(block));
                    tally = tally.plus(block.tally());
                }
                batches.add(new Batch(rows, tally, source.progress()));
            }
            return new Ingested(batches, source.progress());
        }
    }

    private static List<Row> rowsOf(RowBlock block) {
        List<Row> rows = new ArrayList<>();
        int[] tokens = new int[block.rows() * block.seqLen()];
        block.tokens().get(tokens);
        int[] starts = new int[block.docStarts().remaining()];
        block.docStarts().get(starts);
        for (int row = 0; row < block.rows(); row++) {
            int from = row * block.seqLen();
            rows.add(
                    new Row(
                            list(tokens, from, from + block.seqLen()),
                            block.valid(row),
                            list(
                                    starts,
                                    block.docStartOffsets().get(row),
                                    block.docStartOffsets().get(row + 1))));
        }
        return rows;
    }

    List<Row> rows() {
        return batches.stream().flatMap(batch -> batch.rows().stream()).toList();
    }

    Tally tally() {
        return batches.stream().map(Batch::tally).reduce(Tally.ZERO, Tally::plus);
    }

    /** The tokens that count, of all rows together. */
    int[] tokens() {
        return rows().stream()
                .flatMap(row -> row.tokens().subList(0, row.valid()).stream())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Where documents begin, counted over the tokens of all rows. */
    List<Long> docStarts() {
        List<Long> starts = new ArrayList<>();
        List<Row> rows = rows();
        for (int row = 0; row < rows.size(); row++) {
            for (int start : rows.get(row).docStarts()) {
                starts.add((long) row * rows.get(row).tokens().size() + start);
            }
        }
        return starts;
    }

    private static List<Integer> list(int[] values, int from, int to) {
        return Arrays.stream(values, from, to).boxed().toList();
    }
}
