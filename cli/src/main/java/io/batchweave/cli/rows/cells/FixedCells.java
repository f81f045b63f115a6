package io.batchweave.cli.rows.cells;

import io.batchweave.model.Names;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.util.DecimalUtility;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.NestedField;

/** Cells of the same number of bits each. */
final class FixedCells extends Cells {
    private static final long DAY_US = 86_400_000_000L;

    /** About the memory with which a column begins. */
    private static final int FIRST_BYTES = 1 << 14;

    private final BaseFixedWidthVector vector;
    private final int width;

    FixedCells(SliceRows slice, String path, NestedField field, BaseFixedWidthVector vector) {
        super(slice, path, field);
        this.vector = vector;
        this.width = vector.getTypeWidth();
        // Left to itself a vector begins with room for thousands, however wide they are.
        vector.setInitialCapacity(Math.max(1, FIRST_BYTES / Math.max(1, width)));
    }

    @Override
    public void flag(int bit) {
        if (type().typeId() != TypeID.BOOLEAN) {
            super.flag(bit);
        }
        BitVectorHelper.setValidityBit(slot(), last(), bit);
    }

    @Override
    public void whole(long value) {
        switch (type().typeId()) {
            case INTEGER, DATE -> {
                if (value != (int) value) {
                    throw refusal(value + " is out of the range of " + type());
                }
                slot().setInt(offset(), (int) value);
            }
            case TIME -> {
                if (value < 0 || value >= DAY_US) {
                    throw refusal(value + " microseconds are no time of a day");
                }
                slot().setLong(offset(), value);
            }
            case LONG, TIMESTAMP, TIMESTAMP_NANO -> slot().setLong(offset(), value);
            default -> super.whole(value);
        }
    }

    @Override
    public void single(float value) {
        if (type().typeId() == TypeID.DOUBLE) {
            real(value);
            return;
        }
        if (type().typeId() != TypeID.FLOAT) {
            super.single(value);
        }
        slot().setFloat(offset(), value);
    }

    @Override
    public void real(double value) {
        if (type().typeId() != TypeID.DOUBLE) {
            super.real(value);
        }
        slot().setDouble(offset(), value);
    }

    @Override
    public void exact(BigDecimal value) {
        if (!(type() instanceof DecimalType decimal)) {
            super.exact(value);
            return;
        }
        BigDecimal bare = value.stripTrailingZeros();
        int whole = bare.precision() - bare.scale();
        boolean fits =
                bare.signum() == 0
                        || (bare.scale() <= decimal.scale()
                                && whole <= decimal.precision() - decimal.scale());
        if (!fits) {
            throw refusal(
                    "the number "
                            + Names.printable(bare.toString())
                            + " does not fit "
                            + type()
                            + " exactly");
        }
        BigDecimal scaled = bare.signum() == 0 ? BigDecimal.ZERO : bare;
        DecimalUtility.writeBigDecimalToArrowBuf(
                scaled.setScale(decimal.scale()), slot(), last(), width);
    }

    @Override
    public void raw(ByteBuffer value) {
        switch (type().typeId()) {
            case FIXED, UUID -> {
                if (value.remaining() != width) {
                    throw refusal(
                            "it holds values of "
                                    + width
                                    + " bytes and the input's value has "
                                    + value.remaining());
                }
                slot().setBytes(offset(), value.duplicate());
            }
            default -> super.raw(value);
        }
    }

    @Override
    void clear() {
        super.clear();
        vector.reset();
    }

    @Override
    void pad() {
        reserve();
        BitVectorHelper.unsetBit(vector.getValidityBuffer(), last());
    }

    /** The values' memory, in which the last cell is one that is there. */
    private ArrowBuf slot() {
        reserve();
        BitVectorHelper.setBit(vector.getValidityBuffer(), last());
        return vector.getDataBuffer();
    }

    /** Adds a cell and makes room for it, in this order: the count of bytes has a limit. */
    private void reserve() {
        added(Math.max(1, width));
        while (last() >= vector.getValueCapacity()) {
            vector.reAlloc();
        }
    }

    private long offset() {
        return (long) last() * width;
    }
}
