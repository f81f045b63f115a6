package io.batchweave.cli.tokens;

import io.batchweave.cli.order.Unchanged;
import java.util.HashSet;
import java.util.List;

/**
 * What decides how inputs become rows; fixed once something has been ingested.
 *
 * @param tokenizer one of {@link Tokenizer#names}
 * @param seqLen tokens in a row
 * @param rowsPerSlice rows in a slice
 * @param fields of each JSON record, the ones that hold its text; none if no input is JSONL
 */
public record IngestSettings(String tokenizer, int seqLen, int rowsPerSlice, List<String> fields) {
    /** Most tokens in a slice: a row block of them takes 128 MiB of memory. */
    public static final int SLICE_TOKENS_MAX = 1 << 25;

    public IngestSettings {
        fields = List.copyOf(fields);
        if (seqLen < 1 || rowsPerSlice < 1 || (long) seqLen * rowsPerSlice > SLICE_TOKENS_MAX) {
            throw new IllegalArgumentException(
                    "Invalid shape of a slice: "
                            + rowsPerSlice
                            + " rows of "
                            + seqLen
                            + " tokens; use 1 to "
                            + SLICE_TOKENS_MAX
                            + " tokens in all");
        }
        if (new HashSet<>(fields).size() < fields.size() || fields.contains("")) {
            throw new IllegalArgumentException(
                    "Invalid fields "
                            + fields
                            + ": one is empty or named twice; use each name once");
        }
    }

    /**
     * Refuses to go on with rows of another kind; fields may be added while none were needed.
     *
     * @throws io.batchweave.errors.InvalidRequestException with both values
     */
    public void checkSame(IngestSettings committed) {
        Unchanged.check("tokenizer", committed.tokenizer(), tokenizer);
        Unchanged.check("seq-len", committed.seqLen(), seqLen);
        Unchanged.check("rows-per-slice", committed.rowsPerSlice(), rowsPerSlice);
        if (!committed.fields().isEmpty()) {
            Unchanged.check("field", committed.fields(), fields);
        }
    }
}
