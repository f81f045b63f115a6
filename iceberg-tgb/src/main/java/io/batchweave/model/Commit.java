package io.batchweave.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * One immutable log entry. Its body names neither its version nor a step, so that a retry sends the
 * same bytes (LOG-1).
 *
 * @param id unique, for people; decisions are made by claims
 * @param time the writer's reading of the store's clock, in whole milliseconds
 * @param writer the software that wrote it, for people
 * @param entries applied in this order
 */
public record Commit(String id, Instant time, String writer, List<Entry> entries) {
    /** Most entries in one commit. */
    public static final int ENTRIES_MAX = 1_024;

    private static final Instant TIME_MAX = Instant.parse("9999-12-31T23:59:59.999Z");

    public Commit {
        entries = List.copyOf(entries);
        if (!time.truncatedTo(ChronoUnit.MILLIS).equals(time)) {
            throw new IllegalArgumentException(
                    "Invalid commit " + id + ": its time " + time + " has parts of a ms");
        }
        if (time.isBefore(Instant.EPOCH) || time.isAfter(TIME_MAX)) {
            throw new IllegalArgumentException(
                    "Invalid commit " + id + ": its time " + time + " is none that a store tells");
        }
        if (entries.isEmpty() || entries.size() > ENTRIES_MAX) {
            throw new IllegalArgumentException(
                    "Invalid commit "
                            + id
                            + ": "
                            + entries.size()
                            + " entries, must be 1 to "
                            + ENTRIES_MAX);
        }
    }
}
