package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.inputs.Origin;
import io.batchweave.cli.tokens.Unit;
import io.batchweave.errors.InvalidRequestException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.List;
import java.util.Optional;

/** A file of JSON objects, one a line, each of them a document. */
final class JsonlUnits implements UnitReader {
    private final InputBytes bytes;
    private final RecordText records;
    private CharBuffer chars = CharBuffer.allocate(1 << 12);

    JsonlUnits(InputBytes bytes, RecordText records) {
        this.bytes = bytes;
        this.records = records;
    }

    @Override
    public Optional<Unit> next() {
        while (true) {
            long start = bytes.offset();
            bytes.takeByteOrderMark();
            int length = lineBytes();
            if (length == 0) {
                return Optional.empty();
            }
            String text = isBlank(length) ? "" : records.read(chars, this::refusal);
            String place = place();
            long row = bytes.rows();
            bytes.take(length);
            if (!text.isEmpty()) {
                Origin origin = bytes.origin(row);
                return Optional.of(new Unit(start, place, origin, text, Unit.Edges.BOTH));
            }
        }
    }

    /** The fields of the first record; none if there is no record. */
    List<String> firstFields() {
        bytes.takeByteOrderMark();
        for (int length = lineBytes(); length > 0; length = lineBytes()) {
            if (!isBlank(length)) {
                return RecordText.fields(chars, this::refusal);
            }
            bytes.take(length);
        }
        return List.of();
    }

    /** Decodes the line, without its end, and says whether there is anything in it. */
    private boolean isBlank(int length) {
        if (chars.capacity() < length) {
            chars = CharBuffer.allocate(Math.max(length, 2 * chars.capacity()));
        }
        bytes.decode(length, chars.clear());
        chars.flip();
        if (chars.get(chars.limit() - 1) == '\n') {
            chars.limit(chars.limit() - 1);
        }
        return chars.chars().allMatch(JsonLine::isSpace);
    }

    /** Bytes of the next line with its end; zero at the end of the file. */
    private int lineBytes() {
        int searched = 0;
        int wanted = 1;
        while (true) {
            ByteBuffer seen = bytes.peek(wanted);
            int length = seen.remaining();
            for (; searched < length; searched++) {
                if (seen.get(searched) == '\n') {
                    return checked(searched + 1);
                }
            }
            if (length < wanted || length == 0) {
                return checked(length);
            }
            wanted = checked(length) + 1;
        }
    }

    private int checked(int length) {
        if (length > JsonLine.BYTES_MAX) {
            throw refusal(
                    "it is longer than "
                            + JsonLine.BYTES_MAX
                            + " bytes, the most that one record may have; split it");
        }
        return length;
    }

    private String place() {
        return bytes.input() + " line " + bytes.line();
    }

    private InvalidRequestException refusal(String why) {
        return new InvalidRequestException("Cannot read " + place() + ": " + why);
    }
}
