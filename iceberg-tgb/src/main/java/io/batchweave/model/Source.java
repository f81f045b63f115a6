package io.batchweave.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An input that a batch was made of.
 *
 * @param input what the producer calls it: a path or URI, for people and for finding it again
 * @param length bytes that it had, or 0 if the producer does not know its digest
 * @param digest SHA-256 of its first {@code length} bytes; empty if the producer does not know it
 * @param epoch how many times the producer had gone through its inputs before, from 0
 */
public record Source(String input, long length, Bytes digest, int epoch) {
    /** Most bytes of the input's name in UTF-8. */
    public static final int INPUT_BYTES_MAX = 4_096;

    public Source {
        int nameBytes = input.getBytes(UTF_8).length;
        if (nameBytes < 1 || nameBytes > INPUT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "Invalid source: the name of its input has %d bytes; 1 to %d are allowed"
                            .formatted(nameBytes, INPUT_BYTES_MAX));
        }
        if (digest.length() != 0 && digest.length() != Bytes.SHA256_BYTES) {
            throw new IllegalArgumentException(
                    "Invalid source: a digest of " + digest.length() + " bytes");
        }
        if (length < 0 || epoch < 0) {
            throw new IllegalArgumentException(
                    "Invalid source: %d bytes, epoch %d".formatted(length, epoch));
        }
    }
}
