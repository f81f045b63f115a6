package io.batchweave.cli.ingest;

import java.util.List;
import java.util.Optional;

/** The tokens of all inputs, in order, with the exact position in them. */
final class TokenStream implements AutoCloseable {
    private static final Unit NOTHING = new Unit(0, "", "", Unit.Edges.NONE);

    private final Inputs inputs;
    private final Tokenizer tokenizer;
    private final RecordText records;
    private Finished finished;
    private InputBytes bytes;
    private UnitReader reader;
    private UnitTokens unit;

    /**
     * Begins where {@code bytes} are, of the input after the {@code finished} ones; closes them.
     *
     * @param fields of JSON records, the ones that hold the text
     */
    TokenStream(
            Inputs inputs,
            Tokenizer tokenizer,
            List<String> fields,
            Finished finished,
            InputBytes bytes) {
        this.inputs = inputs;
        this.tokenizer = tokenizer;
        this.records = new RecordText(fields);
        this.finished = finished;
        this.bytes = bytes;
        this.reader = UnitReader.of(bytes, records);
        this.unit = new UnitTokens(NOTHING, tokenizer);
    }

    /** Whether a token follows; opens further inputs to find out. */
    boolean hasNext() {
        while (!unit.hasNext()) {
            Optional<Unit> next = reader.next();
            if (next.isPresent()) {
                unit = new UnitTokens(next.get(), tokenizer);
            } else if (finished.inputs() + 1 < inputs.size()) {
                openNext();
            } else {
                return false;
            }
        }
        return true;
    }

    /** Whether the next token, which there must be, is the first of a document. */
    boolean atDocumentStart() {
        return unit.atDocumentStart();
    }

    /**
     * Copies up to {@code count} tokens, at least one, all of one document, from where {@link
     * #hasNext} was true.
     *
     * @return how many
     */
    int read(int[] target, int at, int count) {
        return unit.read(target, at, count);
    }

    /** Passes over {@code count} tokens of the next unit, and says whether it has so many. */
    boolean skip(long count) {
        return hasNext() && unit.skip(count) == count;
    }

    /** What has been read so far: equal reading gives an equal position. */
    Position position() {
        boolean within = unit.hasNext();
        return new Position(
                finished,
                bytes.input().name(),
                bytes.size(),
                within ? unit.unit().start() : bytes.offset(),
                bytes.offset(),
                within ? unit.taken() : 0,
                bytes.digest().toHex());
    }

    @Override
    public void close() {
        bytes.close();
    }

    private void openNext() {
        finished = finished.with(bytes.input().name(), bytes.offset());
        bytes.close();
        bytes = InputBytes.open(inputs.file(finished.inputs()));
        reader = UnitReader.of(bytes, records);
    }
}
