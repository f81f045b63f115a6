package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Fit;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.DecimalType;

/** Copies of vectors that hold no others. */
final class ArrowValues {
    private ArrowValues() {}

    /** The copy, empty if the vector's type does not fit the column's without loss. */
    static Optional<ArrowCopy> of(FieldVector source, Cells target) {
        Optional<IntConsumer> append = append(source, target);
        return append.map(each -> new Value(source, target, each));
    }

    private record Value(FieldVector source, Cells target, IntConsumer append)
            implements ArrowCopy {
        @Override
        public void copy(int index) {
            if (source.isNull(index)) {
                target.nothing();
            } else {
                append.accept(index);
            }
        }

        @Override
        public void check(int count) {
            if (source instanceof BaseVariableWidthVector strings) {
                ArrowBuf offsets = strings.getOffsetBuffer();
                checkBounds(at -> offsets.getInt(4L * at), count);
            } else if (source instanceof BaseLargeVariableWidthVector strings) {
                ArrowBuf offsets = strings.getOffsetBuffer();
                checkBounds(at -> offsets.getLong(8L * at), count);
            } else if (source instanceof BaseVariableWidthViewVector views) {
                checkCount(source, count, target);
                checkBytes(views.getDataBuffer(), 16L * count, target);
            } else {
                checkFixed(source, count, target);
            }
        }

        /** Whether the values lie in the vector's memory, by where each of them begins. */
        private void checkBounds(IntToLongFunction offset, int count) {
            checkCount(source, count, target);
            if (count > 0) {
                checkOffsets(offset, count, source.getDataBuffer().capacity(), target);
            }
        }
    }

    private static Optional<IntConsumer> append(FieldVector source, Cells target) {
        TypeID wanted = target.type().typeId();
        MinorType type = source.getMinorType();
        return Optional.ofNullable(
                switch (type) {
                    case BIT ->
                            wanted == TypeID.BOOLEAN
                                    ? at -> target.flag(((BitVector) source).get(at))
                                    : null;
                    case TINYINT, SMALLINT, INT, UINT1, UINT2 ->
                            wanted == TypeID.INTEGER || wanted == TypeID.LONG
                                    ? wholes(source, target)
                                    : null;
                    case UINT4, BIGINT -> wanted == TypeID.LONG ? wholes(source, target) : null;
                    case FLOAT2 ->
                            isFloating(wanted)
                                    ? at ->
                                            target.single(
                                                    Float16.toFloat(
                                                            source.getDataBuffer()
                                                                    .getShort(2L * at)))
                                    : null;
                    case FLOAT4 ->
                            isFloating(wanted)
                                    ? at -> target.single(source.getDataBuffer().getFloat(4L * at))
                                    : null;
                    case FLOAT8 ->
                            wanted == TypeID.DOUBLE
                                    ? at -> target.real(source.getDataBuffer().getDouble(8L * at))
                                    : null;
                    case DECIMAL, DECIMAL256 -> decimals(source, target);
                    case FIXEDSIZEBINARY -> fixed((FixedSizeBinaryVector) source, target);
                    case VARCHAR, LARGEVARCHAR, VIEWVARCHAR ->
                            wanted == TypeID.STRING ? strings(source, target) : null;
                    case VARBINARY, LARGEVARBINARY, VIEWVARBINARY ->
                            wanted == TypeID.BINARY || wanted == TypeID.FIXED
                                    ? strings(source, target)
                                    : null;
                    default -> ArrowTimes.append(source, target).orElse(null);
                });
    }

    private static boolean isFloating(TypeID wanted) {
        return wanted == TypeID.FLOAT || wanted == TypeID.DOUBLE;
    }

    private static IntConsumer wholes(FieldVector source, Cells target) {
        IntToLongFunction value = wholes(source);
        return at -> target.whole(value.applyAsLong(at));
    }

    private static IntToLongFunction wholes(FieldVector source) {
        return switch (source.getMinorType()) {
            case TINYINT -> at -> source.getDataBuffer().getByte(at);
            case UINT1 -> at -> source.getDataBuffer().getByte(at) & 0xFF;
            case SMALLINT -> at -> source.getDataBuffer().getShort(2L * at);
            case UINT2 -> at -> source.getDataBuffer().getShort(2L * at) & 0xFFFF;
            case INT -> at -> source.getDataBuffer().getInt(4L * at);
            case UINT4 -> at -> source.getDataBuffer().getInt(4L * at) & 0xFFFFFFFFL;
            default -> at -> source.getDataBuffer().getLong(8L * at);
        };
    }

    private static IntConsumer decimals(FieldVector source, Cells target) {
        ArrowType.Decimal from = (ArrowType.Decimal) source.getField().getType();
        return target.type() instanceof DecimalType to
                        && Fit.decimal(from.getPrecision(), from.getScale(), to)
                ? at -> target.exact((BigDecimal) source.getObject(at))
                : null;
    }

    private static IntConsumer fixed(FixedSizeBinaryVector source, Cells target) {
        int width = source.getByteWidth();
        return Fit.bytes(width, target.type())
                ? at -> target.raw(source.getDataBuffer().nioBuffer((long) at * width, width))
                : null;
    }

    private static IntConsumer strings(FieldVector source, Cells target) {
        if (source instanceof BaseVariableWidthViewVector views) {
            return at -> target.raw(view(views, at, target));
        }
        boolean large = source instanceof BaseLargeVariableWidthVector;
        return at -> {
            ArrowBuf offsets = source.getOffsetBuffer();
            long start = large ? offsets.getLong(8L * at) : offsets.getInt(4L * at);
            long end = large ? offsets.getLong(8L * at + 8) : offsets.getInt(4L * at + 4);
            target.raw(source.getDataBuffer().nioBuffer(start, Math.toIntExact(end - start)));
        };
    }

    /** A view is a length and the bytes, if they are few, or where they lie. */
    private static ByteBuffer view(BaseVariableWidthViewVector source, int at, Cells target) {
        ArrowBuf views = source.getDataBuffer();
        int length = views.getInt(16L * at);
        if (length >= 0 && length <= 12) {
            return views.nioBuffer(16L * at + 4, length);
        }
        int buffer = views.getInt(16L * at + 8);
        long start = views.getInt(16L * at + 12);
        boolean inside =
                length > 0
                        && buffer >= 0
                        && buffer < source.getDataBuffers().size()
                        && start >= 0
                        && start + length <= source.getDataBuffers().get(buffer).capacity();
        if (!inside) {
            throw target.refusal("its view lies outside of the input's memory");
        }
        return source.getDataBuffers().get(buffer).nioBuffer(start, length);
    }

    static void checkCount(FieldVector source, int count, Cells target) {
        if (source.getValueCount() < count) {
            throw target.refusal(
                    "the input's vector has "
                            + source.getValueCount()
                            + " values where there should be "
                            + count);
        }
        if (source.getNullCount() > 0) {
            checkBytes(source.getValidityBuffer(), (count + 7L) / 8, target);
        }
    }

    static void checkFixed(FieldVector source, int count, Cells target) {
        checkCount(source, count, target);
        long bits =
                source instanceof BitVector
                        ? 1
                        : 8L * ((BaseFixedWidthVector) source).getTypeWidth();
        checkBytes(source.getDataBuffer(), (count * bits + 7) / 8, target);
    }

    static void checkOffsets(IntToLongFunction offset, int count, long end, Cells target) {
        long before = offset.applyAsLong(0);
        boolean rising = before >= 0;
        for (int at = 1; at <= count && rising; at++) {
            long next = offset.applyAsLong(at);
            rising = next >= before;
            before = next;
        }
        if (!rising || before > end) {
            throw target.refusal("the input's offsets lie outside of its memory, or fall");
        }
    }

    private static void checkBytes(ArrowBuf buffer, long needed, Cells target) {
        if (buffer.capacity() < needed) {
            throw target.refusal(
                    "the input's vector needs a buffer of "
                            + needed
                            + " bytes and has "
                            + buffer.capacity());
        }
    }
}
