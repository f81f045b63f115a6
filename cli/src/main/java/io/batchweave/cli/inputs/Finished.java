package io.batchweave.cli.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.model.Bytes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * The inputs that lie behind a position, however many.
 *
 * @param inputs how many
 * @param bytes their bytes together
 * @param digest SHA-256, in hexadecimal, of the digest before the last of them (none before the
 *     first), its name in UTF-8, a zero byte and its length as 8 bytes, the highest first
 */
public record Finished(int inputs, long bytes, String digest) {
    public static final Finished NOTHING = new Finished(0, 0, "");

    /** These and one more. */
    public Finished with(String name, long length) {
        MessageDigest chain = Bytes.sha256();
        chain.update(Bytes.fromHex(digest).asBuffer());
        chain.update(name.getBytes(UTF_8));
        chain.update((byte) 0);
        chain.update(ByteBuffer.allocate(Long.BYTES).putLong(length).flip());
        return new Finished(inputs + 1, bytes + length, Bytes.digestOf(chain).toHex());
    }

    /** Them, for people. */
    public String describe() {
        return inputs
                + (inputs == 1 ? " input of " : " inputs of ")
                + bytes
                + " bytes (digest "
                + digest
                + ")";
    }
}
