package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Fit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.arrow.memory.util.Float16;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.EnumLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UUIDLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.UnknownLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/** What Parquet tells of the values of a column, turned into cells. */
final class ParquetValues {
    private static final long JULIAN_1970 = 2_440_588;
    private static final long DAY_NS = 86_400_000_000_000L;

    private ParquetValues() {}

    /**
     * The converter to a column.
     *
     * @throws io.batchweave.errors.InvalidRequestException naming the column, if its type does not
     *     fit without loss
     */
    static PrimitiveConverter of(PrimitiveType source, Cells target) {
        if (source.getLogicalTypeAnnotation() instanceof UnknownLogicalTypeAnnotation) {
            return new Nulls(source, target);
        }
        return switch (source.getPrimitiveTypeName()) {
            case BOOLEAN -> booleans(source, target);
            case INT32, INT64 -> wholes(source, target);
            case FLOAT, DOUBLE -> floating(source, target);
            case INT96 -> int96(source, target);
            case BINARY, FIXED_LEN_BYTE_ARRAY ->
                    new Bytes(
                            binary(source, target)
                                    .orElseThrow(() -> ParquetColumns.unfit(source, target)));
        };
    }

    private static PrimitiveConverter booleans(PrimitiveType source, Cells target) {
        if (target.type().typeId() != TypeID.BOOLEAN) {
            throw ParquetColumns.unfit(source, target);
        }
        return new PrimitiveConverter() {
            @Override
            public void addBoolean(boolean value) {
                target.flag(value ? 1 : 0);
            }
        };
    }

    private static PrimitiveConverter floating(PrimitiveType source, Cells target) {
        TypeID wanted = target.type().typeId();
        boolean single = source.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FLOAT;
        if (wanted != TypeID.DOUBLE && !(wanted == TypeID.FLOAT && single)) {
            throw ParquetColumns.unfit(source, target);
        }
        return new PrimitiveConverter() {
            @Override
            public void addFloat(float value) {
                target.single(value);
            }

            @Override
            public void addDouble(double value) {
                target.real(value);
            }
        };
    }

    private static PrimitiveConverter wholes(PrimitiveType source, Cells target) {
        LongConsumer append =
                whole(source, target).orElseThrow(() -> ParquetColumns.unfit(source, target));
        boolean unsigned =
                source.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation mark
                        && !mark.isSigned();
        return new PrimitiveConverter() {
            @Override
            public void addInt(int value) {
                append.accept(unsigned ? Integer.toUnsignedLong(value) : value);
            }

            @Override
            public void addLong(long value) {
                append.accept(value);
            }
        };
    }

    private static Optional<LongConsumer> whole(PrimitiveType source, Cells target) {
        LogicalTypeAnnotation mark = source.getLogicalTypeAnnotation();
        TypeID wanted = target.type().typeId();
        int bits =
                source.getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.INT32
                        ? Integer.SIZE
                        : Long.SIZE;
        if (mark instanceof DecimalLogicalTypeAnnotation decimal) {
            return fits(decimal, target)
                    ? Optional.of(v -> target.exact(BigDecimal.valueOf(v, decimal.getScale())))
                    : Optional.empty();
        }
        if (mark instanceof TimeLogicalTypeAnnotation time && wanted == TypeID.TIME) {
            return scaled(nanos(time.getUnit()), 1_000, target);
        }
        if (mark instanceof TimestampLogicalTypeAnnotation timestamp
                && Fit.timestamp(timestamp.isAdjustedToUTC() ? "UTC" : null, target.type())) {
            long unitNs = wanted == TypeID.TIMESTAMP ? 1_000 : 1;
            return scaled(nanos(timestamp.getUnit()), unitNs, target);
        }
        boolean fits;
        if (mark instanceof DateLogicalTypeAnnotation) {
            fits = wanted == TypeID.DATE;
        } else if (mark instanceof IntLogicalTypeAnnotation integer) {
            int needed = integer.isSigned() ? integer.getBitWidth() : integer.getBitWidth() + 1;
            fits = fitsBits(needed, wanted);
        } else {
            fits = mark == null && fitsBits(bits, wanted);
        }
        return fits ? Optional.of(target::whole) : Optional.empty();
    }

    private static boolean fitsBits(int bits, TypeID wanted) {
        return (wanted == TypeID.INTEGER && bits <= Integer.SIZE)
                || (wanted == TypeID.LONG && bits <= Long.SIZE);
    }

    private static Optional<LongConsumer> scaled(long fromNs, long toNs, Cells target) {
        return fromNs < toNs
                ? Optional.empty()
                : Optional.of(v -> target.whole(Fit.scaled(v, fromNs / toNs, target)));
    }

    private static long nanos(LogicalTypeAnnotation.TimeUnit unit) {
        return switch (unit) {
            case MILLIS -> 1_000_000;
            case MICROS -> 1_000;
            case NANOS -> 1;
        };
    }

    private static boolean fits(DecimalLogicalTypeAnnotation from, Cells target) {
        return target.type() instanceof DecimalType to
                && Fit.decimal(from.getPrecision(), from.getScale(), to);
    }

    /** Old engines wrote instants as a time of day in nanoseconds and a Julian day. */
    private static PrimitiveConverter int96(PrimitiveType source, Cells target) {
        if (!Fit.timestamp("UTC", target.type())) {
            throw ParquetColumns.unfit(source, target);
        }
        long unitNs = target.type().typeId() == TypeID.TIMESTAMP ? 1_000 : 1;
        return new Bytes(
                value -> {
                    ByteBuffer bytes = value.toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
                    long timeNs = bytes.getLong();
                    long days = bytes.getInt() - JULIAN_1970;
                    if (timeNs % unitNs != 0) {
                        throw target.refusal(
                                timeNs + " nanoseconds are no whole number of microseconds");
                    }
                    long dayUnits = Fit.scaled(days, DAY_NS / unitNs, target);
                    target.whole(Fit.sum(dayUnits, timeNs / unitNs, target));
                });
    }

    private static Optional<Consumer<Binary>> binary(PrimitiveType source, Cells target) {
        LogicalTypeAnnotation mark = source.getLogicalTypeAnnotation();
        TypeID wanted = target.type().typeId();
        boolean sized =
                source.getPrimitiveTypeName()
                        == PrimitiveType.PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
        if (mark instanceof DecimalLogicalTypeAnnotation decimal) {
            return fits(decimal, target)
                    ? Optional.of(v -> target.exact(decimal(v, decimal.getScale())))
                    : Optional.empty();
        }
        if (mark instanceof Float16LogicalTypeAnnotation) {
            return wanted == TypeID.FLOAT || wanted == TypeID.DOUBLE
                    ? Optional.of(v -> target.single(Float16.toFloat(v.get2BytesLittleEndian())))
                    : Optional.empty();
        }
        boolean isText =
                mark instanceof StringLogicalTypeAnnotation
                        || mark instanceof EnumLogicalTypeAnnotation
                        || mark instanceof JsonLogicalTypeAnnotation;
        boolean isBare = mark == null;
        boolean fits;
        if (sized) {
            fits =
                    (isBare || mark instanceof UUIDLogicalTypeAnnotation)
                            && Fit.bytes(source.getTypeLength(), target.type());
        } else {
            // Old writers did not mark text; whether it is UTF-8 is checked value by value.
            fits =
                    (wanted == TypeID.STRING && (isText || isBare))
                            || ((wanted == TypeID.BINARY || wanted == TypeID.FIXED) && isBare);
        }
        return fits ? Optional.of(v -> target.raw(v.toByteBuffer())) : Optional.empty();
    }

    private static BigDecimal decimal(Binary unscaled, int scale) {
        byte[] bytes = unscaled.getBytes();
        return new BigDecimal(bytes.length == 0 ? BigInteger.ZERO : new BigInteger(bytes), scale);
    }

    private static final class Bytes extends PrimitiveConverter {
        private final Consumer<Binary> append;

        Bytes(Consumer<Binary> append) {
            this.append = append;
        }

        @Override
        public void addBinary(Binary value) {
            append.accept(value);
        }
    }

    /** A column that says it holds nothing but nulls, which are not told. */
    private static final class Nulls extends PrimitiveConverter {
        private final PrimitiveType source;
        private final Cells target;

        Nulls(PrimitiveType source, Cells target) {
            this.source = source;
            this.target = target;
        }

        @Override
        public void addBinary(Binary value) {
            throw ParquetColumns.unfit(source, target);
        }

        @Override
        public void addInt(int value) {
            throw ParquetColumns.unfit(source, target);
        }
    }
}
