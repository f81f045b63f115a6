package io.batchweave.steps;

import java.time.Duration;

/**
 * How a fold does its work.
 *
 * @param patience until a catalog that does not answer, or does not let a commit in, is given up
 * @param pauseMost most time between two attempts
 * @param rows so many rows are committed at once; a commit of the log is not split
 * @param bytes so many bytes are committed at once, about
 * @param fanout so many files of about one size are merged into one
 * @param fileBytes files of this size are not merged any more
 * @param snapshotsMax so many snapshots that no tag or branch holds; if there are more, the oldest
 *     are expired until there are half as many
 * @param replay so many commits at most are read again to know what came before an event
 */
public record FoldLimits(
        Duration patience,
        Duration pauseMost,
        int rows,
        long bytes,
        int fanout,
        long fileBytes,
        int snapshotsMax,
        int replay) {
    public static final FoldLimits DEFAULT =
            new FoldLimits(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(1),
                    1 << 16,
                    64 << 20,
                    8,
                    64 << 20,
                    512,
                    4_096);

    public FoldLimits {
        if (rows < 1 || bytes < 1 || fanout < 2 || snapshotsMax < 2 || replay < 1) {
            throw new IllegalArgumentException(
                    "Invalid limits of a fold: %d rows, %d bytes, fanout %d, %d snapshots, %d commits"
                            .formatted(rows, bytes, fanout, snapshotsMax, replay));
        }
    }
}
