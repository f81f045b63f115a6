package io.batchweave.cli.tokens;

import io.batchweave.cli.inputs.Origin;

/**
 * What is read of an input at once: a record, or a stretch of a text file.
 *
 * @param start offset of its first byte in the input
 * @param place where it is, for people
 * @param origin the document it is of
 * @param text never empty
 * @param documentEdges the ends of a document that lie in it
 */
public record Unit(long start, String place, Origin origin, String text, Edges documentEdges) {
    /** A whole document; {@code place} is for people. */
    public static Unit document(String place, Origin origin, String text) {
        return new Unit(0, place, origin, text, Edges.BOTH);
    }

    /** Which ends of its document a unit has. */
    public enum Edges {
        NONE,
        START,
        END,
        BOTH;

        boolean haveStart() {
            return this == START || this == BOTH;
        }

        boolean haveEnd() {
            return this == END || this == BOTH;
        }
    }
}
