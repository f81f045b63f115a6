package io.batchweave.cli.rows.cells;

import java.util.Set;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.DecimalType;
import org.apache.iceberg.types.Types.FixedType;
import org.apache.iceberg.types.Types.TimestampNanoType;
import org.apache.iceberg.types.Types.TimestampType;

/** What fits what without loss. */
public final class Fit {
    private static final Set<String> UTC =
            Set.of("UTC", "Etc/UTC", "Z", "GMT", "Etc/GMT", "+00:00", "-00:00", "Zulu", "Etc/Zulu");

    private static final int UUID_BYTES = 16;

    private Fit() {}

    /** Whether every number of {@code precision} digits, {@code scale} of them behind the point. */
    public static boolean decimal(int precision, int scale, DecimalType to) {
        return scale <= to.scale() && precision - scale <= to.precision() - to.scale();
    }

    /** Whether values of {@code width} bytes. */
    public static boolean bytes(int width, Type to) {
        return switch (to.typeId()) {
            case BINARY -> true;
            case UUID -> width == UUID_BYTES;
            case FIXED -> ((FixedType) to).length() == width;
            default -> false;
        };
    }

    /**
     * Whether times of this zone.
     *
     * @param zone null if they are of none; any but UTC would be lost
     */
    public static boolean timestamp(String zone, Type to) {
        if (to.typeId() != TypeID.TIMESTAMP && to.typeId() != TypeID.TIMESTAMP_NANO) {
            return false;
        }
        boolean inUtc =
                to.equals(TimestampType.withZone()) || to.equals(TimestampNanoType.withZone());
        return zone == null ? !inUtc : inUtc && UTC.contains(zone);
    }

    public static long nanos(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 1_000_000_000;
            case MILLISECOND -> 1_000_000;
            case MICROSECOND -> 1_000;
            case NANOSECOND -> 1;
        };
    }

    public static long scaled(long value, long factor, Cells target) {
        try {
            return Math.multiplyExact(value, factor);
        } catch (ArithmeticException e) {
            throw target.refusal(
                    value + " of the input's units is out of the range of " + target.type());
        }
    }

    public static long sum(long one, long other, Cells target) {
        try {
            return Math.addExact(one, other);
        } catch (ArithmeticException e) {
            throw target.refusal("its time is out of the range of " + target.type());
        }
    }
}
