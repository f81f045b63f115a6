package io.batchweave.cli.rows.arrow;

/** Copies the values of one Arrow vector to the cells of one column. */
public interface ArrowCopy {
    /** Appends the value at {@code index}, which may be null. */
    void copy(int index);

    /**
     * Refuses a vector that has not {@code count} values, whatever it says; asked once for each
     * record batch, before anything is copied. The library trusts lengths.
     */
    void check(int count);
}
