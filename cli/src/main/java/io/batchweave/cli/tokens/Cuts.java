package io.batchweave.cli.tokens;

import static java.lang.Character.COMBINING_SPACING_MARK;
import static java.lang.Character.DECIMAL_DIGIT_NUMBER;
import static java.lang.Character.ENCLOSING_MARK;
import static java.lang.Character.LETTER_NUMBER;
import static java.lang.Character.NON_SPACING_MARK;
import static java.lang.Character.OTHER_NUMBER;

import java.util.OptionalInt;

/**
 * Where text may be cut so that the tokens of the parts are the tokens of the whole.
 *
 * <p>Every encoding first splits text by a pattern, left to right and without looking back, and
 * then makes tokens of each piece. So a cut changes nothing if a piece ends there anyway and no
 * piece before it would have been another for what follows. In all of the patterns a piece that
 * holds a number holds only numbers, and a piece that holds a letter goes on after it only with
 * letters, with marks or with an apostrophe. Hence the places below, which ordinary text has in
 * almost every word. White space gives none of its own: how much of it belongs to one piece depends
 * on what follows.
 */
public final class Cuts {
    /**
     * Text without a cut longer than this is refused: the tokenizer needs some 150 bytes of memory
     * for each byte of a piece.
     */
    public static final int UNCUT_CHARS_MAX = 1 << 18;

    private Cuts() {}

    /** The last index after {@code from} and before {@code to} at which text may be cut. */
    public static OptionalInt last(CharSequence text, int from, int to) {
        for (int at = to - 1; at > from; at--) {
            char before = text.charAt(at - 1);
            char after = text.charAt(at);
            if (mayCut(before, after)) {
                return OptionalInt.of(at);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Characters beyond the basic plane are left alone: a surrogate is neither letter nor number
     * here, and it may begin one.
     */
    private static boolean mayCut(char before, char after) {
        if (Character.isSurrogate(after)) {
            return false;
        }
        if (Character.isLetter(before)) {
            return !Character.isLetter(after) && !isMark(after) && after != '\'';
        }
        return isNumber(before) && !isNumber(after);
    }

    private static boolean isNumber(char character) {
        return switch (Character.getType(character)) {
            case DECIMAL_DIGIT_NUMBER, LETTER_NUMBER, OTHER_NUMBER -> true;
            default -> false;
        };
    }

    private static boolean isMark(char character) {
        return switch (Character.getType(character)) {
            case NON_SPACING_MARK, ENCLOSING_MARK, COMBINING_SPACING_MARK -> true;
            default -> false;
        };
    }
}
