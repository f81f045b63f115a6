package io.batchweave.cli.tokens;

import io.batchweave.cli.inputs.RowRun;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of one slice, filled again and again. Its views are read-only, laid out as Arrow's
 * vectors are, and change with the next filling.
 */
public final class RowBlock {
    private final int rows;
    private final int seqLen;
    private final int[] tokens;
    private final int[] docStartOffsets;
    private int[] docStarts = new int[16];
    private int filled;
    private final RowRun.Joined origins = new RowRun.Joined();

    RowBlock(int rows, int seqLen) {
        this.rows = rows;
        this.seqLen = seqLen;
        this.tokens = new int[rows * seqLen];
        this.docStartOffsets = new int[rows + 1];
    }

    public int rows() {
        return rows;
    }

    /** Tokens in a row. */
    public int seqLen() {
        return seqLen;
    }

    /** The tokens of all rows, one row after the other; the padding is at the end. */
    public IntBuffer tokens() {
        return IntBuffer.wrap(tokens).asReadOnlyBuffer();
    }

    /** How many tokens of a row count; what follows them in it is padding. */
    public int valid(int row) {
        return Math.max(0, Math.min(seqLen, filled - row * seqLen));
    }

    /**
     * Where documents begin, as positions in their row, for one row after the other. A document
     * that goes on from the row before does not begin.
     */
    public IntBuffer docStarts() {
        return IntBuffer.wrap(docStarts, 0, docStartOffsets[rows]).slice().asReadOnlyBuffer();
    }

    /** For each row, and once more at the end, the index of its first entry in the doc starts. */
    public IntBuffer docStartOffsets() {
        return IntBuffer.wrap(docStartOffsets).asReadOnlyBuffer();
    }

    /** The documents whose tokens are in the rows, in their order. */
    public List<RowRun> origins() {
        return origins.runs();
    }

    public Tally tally() {
        return new Tally(docStartOffsets[rows], filled);
    }

    /**
     * Replaces the content by the next tokens, and by {@code padding} where there are none left.
     */
    void fill(TokenStream stream, int padding) {
        filled = 0;
        origins.clear();
        Arrays.fill(docStartOffsets, 0);
        int starts = 0;
        while (filled < tokens.length && stream.hasNext()) {
            if (stream.atDocumentStart()) {
                addDocStart(starts++);
            }
            int read = stream.read(tokens, filled, tokens.length - filled);
            origins.add(stream.origin(), read);
            filled += read;
        }
        Arrays.fill(tokens, filled, tokens.length, padding);
        Arrays.parallelPrefix(docStartOffsets, Integer::sum);
    }

    private void addDocStart(int index) {
        if (index == docStarts.length) {
            docStarts = Arrays.copyOf(docStarts, 2 * index);
        }
        docStarts[index] = filled % seqLen;
        docStartOffsets[filled / seqLen + 1]++;
    }
}
