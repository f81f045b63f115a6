package io.batchweave.model;

/** One axis of a slice grid, such as {@code dp=64}. */
public record Axis(String name, int size) {
    public Axis {
        Names.checkTablePart("grid axis", name);
        if (size < 1) {
            throw new IllegalArgumentException(
                    "Invalid size " + size + " of axis " + name + ": must be at least 1");
        }
    }

    @Override
    public String toString() {
        return name + "=" + size;
    }
}
