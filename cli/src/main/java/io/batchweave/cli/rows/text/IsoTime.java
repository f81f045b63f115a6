package io.batchweave.cli.rows.text;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Dates and times as ISO 8601 writes them, as the integers that columns hold. */
final class IsoTime {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MICRO_NS = 1_000;

    private IsoTime() {}

    /** Days since 1970-01-01. */
    static long day(String text, Cells cells) {
        try {
            return LocalDate.parse(text).toEpochDay();
        } catch (DateTimeException e) {
            throw unfit(text, "2024-12-31", cells);
        }
    }

    /** Microseconds since midnight. */
    static long timeOfDayUs(String text, Cells cells) {
        try {
            return exact(LocalTime.parse(text).toNanoOfDay(), MICRO_NS, text, cells);
        } catch (DateTimeException e) {
            throw unfit(text, "23:59:59.999999", cells);
        }
    }

    /** Units of {@code unitNs} nanoseconds since 1970, of a time without a zone. */
    static long local(String text, int unitNs, Cells cells) {
        try {
            return since1970(
                    LocalDateTime.parse(text).toInstant(ZoneOffset.UTC), unitNs, text, cells);
        } catch (DateTimeException e) {
            throw unfit(text, "2024-12-31T23:59:59 (a zone would be lost)", cells);
        }
    }

    /** Units of {@code unitNs} nanoseconds since 1970, of a time in UTC. */
    static long instant(String text, int unitNs, Cells cells) {
        OffsetDateTime time;
        try {
            time = OffsetDateTime.parse(text);
        } catch (DateTimeException e) {
            throw unfit(text, "2024-12-31T23:59:59Z", cells);
        }
        if (!time.getOffset().equals(ZoneOffset.UTC)) {
            throw unfit(text, "2024-12-31T23:59:59Z (another offset would be lost)", cells);
        }
        return since1970(time.toInstant(), unitNs, text, cells);
    }

    private static long since1970(Instant time, int unitNs, String text, Cells cells) {
        try {
            long seconds = time.getEpochSecond();
            long unitsASecond = SECOND_NS / unitNs;
            long fraction = exact(time.getNano(), unitNs, text, cells);
            // Before 1970 counting up from the second below could leave the range on the way.
            return seconds < 0
                    ? Math.addExact(
                            Math.multiplyExact(seconds + 1, unitsASecond), fraction - unitsASecond)
                    : Math.addExact(Math.multiplyExact(seconds, unitsASecond), fraction);
        } catch (ArithmeticException e) {
            throw cells.refusal("'" + Names.printable(text) + "' is out of its range");
        }
    }

    private static long exact(long nanos, int unitNs, String text, Cells cells) {
        if (nanos % unitNs != 0) {
            throw cells.refusal(
                    "'" + Names.printable(text) + "' has nanoseconds, and it holds microseconds");
        }
        return nanos / unitNs;
    }

    private static InvalidRequestException unfit(String text, String form, Cells cells) {
        return cells.refusal(
                "it is "
                        + cells.type()
                        + " and '"
                        + Names.printable(text)
                        + "' is not of the form "
                        + form);
    }
}
