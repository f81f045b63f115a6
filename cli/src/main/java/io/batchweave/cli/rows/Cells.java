package io.batchweave.cli.rows;

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
abstract class Cells {
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
    final String name() {
        return field.name();
    }

    /** Names from the top. */
    final String path() {
        return path;
    }

    final Type type() {
        return field.type();
    }

    final boolean isRequired() {
        return field.isRequired();
    }

    /** How many cells there are. */
    final int count() {
        return count;
    }

    List<Cells> children() {
        return List.of();
    }

    /** Whether lists are taken, whose elements go to the one child. */
    boolean takesLists() {
        return false;
    }

    /** The sizes of the axes, if it is a tensor; otherwise none. */
    List<Integer> shape() {
        return List.of();
    }

    /** Appends a null. */
    final void nothing() {
        if (isRequired()) {
            throw refusal("it is required, and here is no value");
        }
        pad();
    }

    /** Appends a slot without a value; under a null even a required column has them. */
    abstract void pad();

    void flag(boolean value) {
        throw unfit("a boolean");
    }

    void whole(long value) {
        throw unfit("an integer");
    }

    void single(float value) {
        throw unfit("a floating-point number");
    }

    void real(double value) {
        throw unfit("a floating-point number");
    }

    void exact(BigDecimal value) {
        throw unfit("a decimal");
    }

    /** Appends the remaining bytes of {@code value}. */
    void raw(ByteBuffer value) {
        throw unfit("a string of bytes");
    }

    /** Begins a list, a map or a struct; its children are appended to next. */
    void open() {
        throw unfit("nested");
    }

    /** Ends what {@link #open} began. */
    void close() {
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
        return refusal("it is " + type() + " and the input's value is " + what);
    }

    final InvalidRequestException refusal(String why) {
        return slice.refusal("column " + path + ": " + why);
    }
}
