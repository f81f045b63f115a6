package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.tokens.Cuts;
import io.batchweave.cli.tokens.Unit;
import io.batchweave.errors.InvalidRequestException;
import java.nio.CharBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** A text file, one document, in stretches that end where text may be cut. */
final class TextUnits implements UnitReader {
    private static final int CHAR_BYTES_MAX = 3;

    /** More bytes than fill the character buffer. */
    private static final int WINDOW_BYTES = Cuts.UNCUT_CHARS_MAX * CHAR_BYTES_MAX + 1;

    private final InputBytes bytes;
    private final CharBuffer chars;

    TextUnits(InputBytes bytes) {
        this.bytes = bytes;
        this.chars = CharBuffer.allocate((int) Math.min(Cuts.UNCUT_CHARS_MAX, bytes.size()));
    }

    @Override
    public Optional<Unit> next() {
        long start = bytes.offset();
        bytes.takeByteOrderMark();
        long left = bytes.size() - bytes.offset();
        // One byte more than should be left shows whether there is more.
        int wanted = (int) Math.min(WINDOW_BYTES, left + 1);
        int seen = bytes.peek(wanted).remaining();
        if (seen > left || seen < Math.min(wanted, left)) {
            throw changed();
        }
        int decoded = bytes.decode(wanted, chars.clear());
        chars.flip();
        Unit unit = decoded == seen ? lastUnit(start, decoded) : cutUnit(start, decoded);
        return unit.text().isEmpty() ? Optional.empty() : Optional.of(unit);
    }

    private InvalidRequestException changed() {
        return new InvalidRequestException(
                "Cannot read "
                        + bytes.input()
                        + ": it had "
                        + bytes.size()
                        + " bytes when it was opened and has another length now; let its writer"
                        + " finish, then ingest it");
    }

    private Unit lastUnit(long start, int decoded) {
        bytes.take(decoded);
        return unit(start, chars.toString(), start == 0 ? Unit.Edges.BOTH : Unit.Edges.END);
    }

    private Unit cutUnit(long start, int decoded) {
        OptionalInt cut = Cuts.last(chars, 0, chars.length());
        if (cut.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot tokenize "
                            + bytes.input()
                            + ": from byte "
                            + bytes.offset()
                            + " on, "
                            + chars.length()
                            + " characters hold no end of a word or number, and the tokenizer's"
                            + " memory would not be bounded; break that run up or take it out");
        }
        String text = chars.subSequence(0, cut.getAsInt()).toString();
        Unit unit = unit(start, text, start == 0 ? Unit.Edges.START : Unit.Edges.NONE);
        bytes.take(decoded - bytesOf(chars.subSequence(cut.getAsInt(), chars.length())));
        return unit;
    }

    private Unit unit(long start, String text, Unit.Edges edges) {
        return new Unit(start, bytes.input() + " byte " + start, bytes.origin(0), text, edges);
    }

    private static int bytesOf(CharBuffer tail) {
        return UTF_8.encode(tail).remaining();
    }
}
