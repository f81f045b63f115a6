package io.batchweave.cli.tokens;

import io.batchweave.errors.InvalidRequestException;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The tokens of one unit, made a stretch of text at a time, with the separator behind the last of a
 * document.
 */
final class UnitTokens {
    private final Unit unit;
    private final Tokenizer tokenizer;
    private int charsDone;
    private int[] tokens = {};
    private int next;
    private long taken;

    UnitTokens(Unit unit, Tokenizer tokenizer) {
        this.unit = unit;
        this.tokenizer = tokenizer;
    }

    Unit unit() {
        return unit;
    }

    boolean hasNext() {
        return next < tokens.length || charsDone < unit.text().length();
    }

    /** Whether the next token is the first of a document. */
    boolean atDocumentStart() {
        return taken == 0 && unit.documentEdges().haveStart();
    }

    /** Tokens read so far. */
    long taken() {
        return taken;
    }

    /** Copies up to {@code count} tokens to {@code target} and returns how many. */
    int read(int[] target, int at, int count) {
        int copied = available(count);
        System.arraycopy(tokens, next, target, at, copied);
        advance(copied);
        return copied;
    }

    /** Passes over {@code count} tokens and returns how many there were. */
    long skip(long count) {
        long before = taken;
        while (taken - before < count && hasNext()) {
            advance(available(count - (taken - before)));
        }
        return taken - before;
    }

    private void advance(int count) {
        next += count;
        taken += count;
    }

    private int available(long most) {
        if (next == tokens.length && charsDone < unit.text().length()) {
            encodeStretch();
        }
        return (int) Math.min(most, tokens.length - next);
    }

    private void encodeStretch() {
        String text = unit.text();
        int end = stretchEnd(text);
        tokens = tokenizer.encode(text.substring(charsDone, end));
        if (end == text.length() && unit.documentEdges().haveEnd()) {
            tokens = Arrays.copyOf(tokens, tokens.length + 1);
            tokens[tokens.length - 1] = tokenizer.separator();
        }
        next = 0;
        charsDone = end;
    }

    private int stretchEnd(String text) {
        if (text.length() - charsDone <= Cuts.UNCUT_CHARS_MAX) {
            return text.length();
        }
        OptionalInt cut = Cuts.last(text, charsDone, charsDone + Cuts.UNCUT_CHARS_MAX);
        if (cut.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot tokenize "
                            + unit.place()
                            + ": from character "
                            + charsDone
                            + " of its text on, "
                            + Cuts.UNCUT_CHARS_MAX
                            + " hold no end of a word or number, and the tokenizer's memory would"
                            + " not be bounded; break that run up or take it out");
        }
        return cut.getAsInt();
    }
}
