package io.batchweave.cli.rows;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of one input that were given out one after the other.
 *
 * @param input its name
 * @param digest SHA-256, in hexadecimal, of its bytes
 * @param epoch the epoch in which they were given out, from 0
 * @param from how many rows of the input lie before the first of them
 * @param to how many rows of the input lie before the one that follows the last
 */
public record RowRun(String input, String digest, int epoch, long from, long to) {

    /** Joins rows to runs as they come. */
    static final class Joined {
        private final List<RowRun> runs = new ArrayList<>();

        void add(RowOrigin row) {
            RowRun one =
                    new RowRun(
                            row.input().name(),
                            row.fingerprint().digest(),
                            row.epoch(),
                            row.row(),
                            row.row() + 1);
            int last = runs.size() - 1;
            if (last >= 0 && runs.get(last).isFollowedBy(one)) {
                RowRun before = runs.get(last);
                runs.set(last, new RowRun(one.input, one.digest, one.epoch, before.from, one.to));
            } else {
                runs.add(one);
            }
        }

        void clear() {
            runs.clear();
        }

        List<RowRun> runs() {
            return List.copyOf(runs);
        }
    }

    private boolean isFollowedBy(RowRun next) {
        return to == next.from
                && epoch == next.epoch
                && digest.equals(next.digest)
                && input.equals(next.input);
    }
}
