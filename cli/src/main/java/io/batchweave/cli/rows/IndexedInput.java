package io.batchweave.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.ingest.Fingerprint;
import io.batchweave.cli.ingest.Input;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** An input all of which was read once, to learn where its rows lie. */
record IndexedInput(Input input, RowInput kind, Fingerprint fingerprint, List<Stretch> stretches) {
    /** Names need not differ: they are below the arguments. What is equal in both is the same. */
    static final Comparator<IndexedInput> BY_NAME_AND_DIGEST =
            Comparator.<IndexedInput, byte[]>comparing(
                            each -> each.input().name().getBytes(UTF_8), Arrays::compareUnsigned)
                    .thenComparing(each -> each.fingerprint().digest());

    /**
     * Reads an input.
     *
     * @param slice has the columns that the input must have
     * @throws io.batchweave.errors.InvalidRequestException if it does not have them, or is damaged
     */
    static IndexedInput of(Input input, RowInput kind, SliceRows slice) {
        return switch (kind) {
            case JSONL, JSONL_GZIP, JSONL_ZSTD ->
                    Guarded.call(input::toString, () -> ofLines(input, kind));
            default -> {
                Fingerprint fingerprint = Fingerprint.of(input);
                try (RowReader reader = kind.open(input, slice)) {
                    yield new IndexedInput(input, kind, fingerprint, reader.stretches());
                }
            }
        };
    }

    /** Lines have no index but are read whole, so that one reading gives both. */
    private static IndexedInput ofLines(Input input, RowInput kind) throws IOException {
        try (Fingerprint.Passing bytes = new Fingerprint.Passing(input.stream());
                Lines lines = Lines.of(bytes, kind)) {
            List<Stretch> stretches = JsonRows.stretches(lines, kind);
            return new IndexedInput(input, kind, bytes.rest(), stretches);
        }
    }
}
