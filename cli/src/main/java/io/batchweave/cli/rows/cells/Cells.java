package io.batchweave.cli.rows.cells;

import io.batchweave.errors.InvalidRequestException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Appends the values of one column of a slice, at any depth, to its vector: one cell for each slot
 * of what surrounds it. A cell that does not fit is refused, and the slice is then of no use.
 */
public abstract class Cells {
    private final SliceRows slice;
    private final String path;
    private final NestedField field;
    private int count;

    Cells(SliceRows slice, String path, NestedField field) {
        this.slice = slice;
        this.path = path;
        this.field = field;
    }

    /** The name within what surrounds it. */
    public final String name() {
        return field.name();
    }

    /** Names from the top. */
    final String path() {
        return path;
    }

    public final Type type() {
        return field.type();
    }

    /** What it was declared as, for refusals. */
    public String declared() {
        return type().toString();
    }

    final boolean isRequired() {
        return field.isRequired();
    }

    /** How many cells there are. */
    public final int count() {
        return count;
    }

    public List<Cells> children() {
        return List.of();
    }

    /** Whether lists are taken, whose elements go to the one child. */
    public boolean takesLists() {
        return false;
    }

    /** The sizes of the axes, if it is a tensor; otherwise none. */
    public List<Integer> shape() {
        return List.of();
    }

    /** Appends a null. */
    public final void nothing() {
        if (isRequired()) {
            throw refusal("it is required, and here is no value");
        }
        pad();
    }

    /** Appends a slot without a value; under a null even a required column has them. */
    abstract void pad();

    /** Appends a boolean, 1 for true and 0 for false. */
    public void flag(int bit) {
        throw unfit("a boolean");
    }

    public void whole(long value) {
        throw unfit("an integer");
    }

    public void single(float value) {
        throw unfit("a floating-point number");
    }

    public void real(double value) {
        throw unfit("a floating-point number");
    }

    public void exact(BigDecimal value) {
        throw unfit("a decimal");
    }

    /** Appends the remaining bytes of {@code value}. */
    public void raw(ByteBuffer value) {
        throw unfit("a string of bytes");
    }

    /** Begins a list, a map or a struct; its children are appended to next. */
    public void open() {
        throw unfit("nested");
    }

    /** Ends what {@link #open} began. */
    public void close() {
        throw unfit("nested");
    }

    /** Counts one more cell, which takes about {@code bytes}. */
    final void added(long bytes) {
        slice.grow(bytes);
        count++;
    }

    /** The index of the cell that was added last. */
    final int last() {
        return count - 1;
    }

    /** Takes all cells away and keeps the memory. */
    void clear() {
        count = 0;
        children().forEach(Cells::clear);
    }

    private InvalidRequestException unfit(String what) {
        return refusal("it is " + declared() + " and the input's value is " + what);
    }

    public final InvalidRequestException refusal(String why) {
        return slice.refusal("column " + path + ": " + why);
    }
}
