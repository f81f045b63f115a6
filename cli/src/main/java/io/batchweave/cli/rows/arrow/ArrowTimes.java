package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Fit;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.iceberg.types.Type.TypeID;

/** Copies of dates and times; a coarser unit fits a finer one. */
final class ArrowTimes {
    private static final long DAY_MS = 86_400_000L;

    private ArrowTimes() {}

    /** The copy, empty if the vector's type does not fit the column's without loss. */
    static Optional<IntConsumer> append(FieldVector source, Cells target) {
        ArrowType type = source.getField().getType();
        if (type instanceof ArrowType.Date date && target.type().typeId() == TypeID.DATE) {
            return Optional.of(date(source, date.getUnit(), target));
        }
        if (type instanceof ArrowType.Time time && target.type().typeId() == TypeID.TIME) {
            return scaled(source, Fit.nanos(time.getUnit()), 1_000, target);
        }
        if (type instanceof ArrowType.Timestamp timestamp
                && Fit.timestamp(timestamp.getTimezone(), target.type())) {
            long unitNs = target.type().typeId() == TypeID.TIMESTAMP ? 1_000 : 1;
            return scaled(source, Fit.nanos(timestamp.getUnit()), unitNs, target);
        }
        return Optional.empty();
    }

    private static IntConsumer date(FieldVector source, DateUnit unit, Cells target) {
        IntToLongFunction value = values(source);
        if (unit == DateUnit.DAY) {
            return at -> target.whole(value.applyAsLong(at));
        }
        return at -> {
            long ms = value.applyAsLong(at);
            if (ms % DAY_MS != 0) {
                throw target.refusal(ms + " milliseconds are not a whole number of days");
            }
            target.whole(ms / DAY_MS);
        };
    }

    private static Optional<IntConsumer> scaled(
            FieldVector source, long fromNs, long toNs, Cells target) {
        if (fromNs < toNs) {
            return Optional.empty();
        }
        IntToLongFunction value = values(source);
        return Optional.of(
                at -> target.whole(Fit.scaled(value.applyAsLong(at), fromNs / toNs, target)));
    }

    private static IntToLongFunction values(FieldVector source) {
        return ((BaseFixedWidthVector) source).getTypeWidth() == Integer.BYTES
                ? at -> source.getDataBuffer().getInt(4L * at)
                : at -> source.getDataBuffer().getLong(8L * at);
    }
}
