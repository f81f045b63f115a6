package io.batchweave.cli.verify;

/** Something that is wrong: where, and what. */
public record Finding(String object, String why) {
    @Override
    public String toString() {
        return why;
    }
}
