package io.batchweave.cli.inputs;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of one input that were given out one after the other.
 *
 * @param first the first of them
 * @param rows how many; of documents, the first and the last may have been given out in part
 * @param amount what was given out of them: tokens of documents, else rows
 */
public record RowRun(Origin first, long rows, long amount) {

    /** Joins rows to runs as they come. */
    public static final class Joined {
        private final List<RowRun> runs = new ArrayList<>();

        /** Adds what is given out of a row. */
        public void add(Origin row, long amount) {
            int last = runs.size() - 1;
            if (last >= 0 && runs.get(last).takes(row)) {
                runs.set(last, runs.get(last).with(row, amount));
            } else {
                runs.add(new RowRun(row, 1, amount));
            }
        }

        public void clear() {
            runs.clear();
        }

        public List<RowRun> runs() {
            return List.copyOf(runs);
        }
    }

    /** Whether a row is the last one, of which more was given out, or the one behind it. */
    private boolean takes(Origin row) {
        long ahead = row.row() - first.row() - rows;
        return (ahead == 0 || ahead == -1)
                && row.epoch() == first.epoch()
                && row.fingerprint().equals(first.fingerprint())
                && row.input().equals(first.input());
    }

    private RowRun with(Origin row, long more) {
        return new RowRun(first, row.row() - first.row() + 1, amount + more);
    }
}
