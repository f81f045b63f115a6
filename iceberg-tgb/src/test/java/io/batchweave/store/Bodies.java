package io.batchweave.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;

/** Makes and reads the bodies of objects in tests. */
public final class Bodies {
    private Bodies() {}

    /** The text's bytes. */
    public static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    /** Bytes of which each tells its place, so that none can be missing or elsewhere. */
    public static ByteBuffer pattern(int from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            int place = from + i;
            bytes[i] = (byte) (place >>> (place % 4 * 8));
        }
        return ByteBuffer.wrap(bytes);
    }

    /** What was found. */
    public static ByteBuffer body(Fetched fetched) {
        assertThat(fetched).isInstanceOf(Fetched.Found.class);
        return ((Fetched.Found) fetched).body();
    }

    /** What was found, as text. */
    public static String text(Fetched fetched) {
        return UTF_8.decode(body(fetched)).toString();
    }
}
