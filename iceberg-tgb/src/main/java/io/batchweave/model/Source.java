package io.batchweave.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An input that a batch was made of.
 *
 * @param input what the producer calls it: a path or URI, for people and for finding it again
 * @param digest SHA-256 of its bytes; empty if the producer does not know it
 * @param epoch how many times the producer had gone through its inputs before, from 0
 */
public record Source(String input, Bytes digest, int epoch) {
    /** Most bytes of the input's name in UTF-8. */
    public static final int INPUT_BYTES_MAX = 4_096;

    public Source {
        int length = input.getBytes(UTF_8).length;
        if (length < 1 || length > INPUT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "Invalid source: the name of its input has %d bytes; 1 to %d are allowed"
                            .formatted(length, INPUT_BYTES_MAX));
        }
        if (digest.length() != 0 && digest.length() != Bytes.SHA256_BYTES) {
            throw new IllegalArgumentException(
                    "Invalid source: a digest of " + digest.length() + " bytes");
        }
        if (epoch < 0) {
            throw new IllegalArgumentException("Invalid source: epoch " + epoch);
        }
    }
}
