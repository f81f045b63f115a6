package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionSpec;

/** Which files are merged: a pure function of their sizes. */
class MergingTest {
    private static final FoldLimits LIMITS = FoldLimits.DEFAULT;
    private static final int LEVELS = 8;

    private static Piece piece(long first, long rows, long bytes) {
        DataFile file =
                DataFiles.builder(PartitionSpec.unpartitioned())
                        .withPath("/" + first + "-" + rows + ".parquet")
                        .withRecordCount(rows)
                        .withFileSizeInBytes(bytes)
                        .build();
        return new Piece(file, first, first + rows - 1);
    }

    /** However large each fold is, files stay few, and a row is written again a few times only. */
    @Property(tries = 50)
    void filesStayFewAndRowsAreWrittenAgainAFewTimes(
            @ForAll @LongRange(min = 1, max = 50) long rowsMax,
            @ForAll @IntRange(min = 1, max = 3_000) int folds) {
        List<Piece> pieces = new ArrayList<>();
        long next = 0;
        long rewritten = 0;
        for (int fold = 0; fold < folds; fold++) {
            long rows = 1 + fold * 31L % rowsMax;
            pieces.add(piece(next, rows, 100 * rows));
            next += rows;
            List<Piece> due = Merging.due(pieces, LIMITS);
            while (!due.isEmpty()) {
                long sum = due.stream().mapToLong(Piece::rows).sum();
                rewritten += sum;
                int start = pieces.indexOf(due.get(0));
                assertThat(pieces.subList(start, start + due.size())).isEqualTo(due);
                pieces.subList(start, start + due.size()).clear();
                pieces.add(start, piece(due.get(0).first(), sum, 100 * sum));
                due = Merging.due(pieces, LIMITS);
            }
        }
        assertThat(pieces).hasSizeLessThanOrEqualTo(LEVELS * (LIMITS.fanout() - 1));
        assertThat(rewritten).isLessThanOrEqualTo(2 * next * LEVELS);
    }

    @Property(tries = 20)
    void filesThatAreLargeEnoughAreLeftAlone(@ForAll @IntRange(min = 8, max = 100) int files) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            pieces.add(piece(i * 10L, 10, LIMITS.fileBytes()));
        }
        assertThat(Merging.due(pieces, LIMITS)).isEmpty();
    }
}
