package io.batchweave.cli.rows.cells;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/** Tells whether bytes are UTF-8, without making text of them. Used by one thread. */
public final class Utf8 {
    private final CharsetDecoder decoder = UTF_8.newDecoder();
    private final CharBuffer chars = CharBuffer.allocate(1 << 10);

    /** Whether the remaining bytes are; they stay where they are. */
    public boolean holds(ByteBuffer bytes) {
        ByteBuffer rest = bytes.duplicate();
        decoder.reset();
        CoderResult result;
        do {
            result = decoder.decode(rest, chars.clear(), true);
        } while (result.isOverflow());
        return !result.isError();
    }
}
