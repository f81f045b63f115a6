package io.batchweave.model;

/** An additive measure of a global batch, such as its tokens. */
public record Count(String name, long value) {
    public Count {
        Names.checkPathPart("count", name);
        if (value < 0) {
            throw new IllegalArgumentException(
                    "Invalid count " + name + ": " + value + " is negative");
        }
    }
}
