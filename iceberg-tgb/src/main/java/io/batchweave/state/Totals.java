package io.batchweave.state;

import io.batchweave.model.Count;
import io.batchweave.model.GlobalBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums over all published steps; one that does not fit stays at the largest number there is.
 *
 * @param bytes of payload
 * @param counts by name; only of the first {@value #NAMES_MAX} names that came
 */
public record Totals(long rows, long bytes, List<Count> counts) {
    /** So many names of counts are summed up. */
    public static final int NAMES_MAX = 1_024;

    static final Totals ZERO = new Totals(0, 0, List.of());

    public Totals {
        counts = List.copyOf(counts);
    }

    /** Sums over some steps. */
    static Totals of(List<StepRecord> steps) {
        Totals totals = ZERO;
        for (StepRecord step : steps) {
            totals = totals.plus(step.batch());
        }
        return totals;
    }

    Totals plus(GlobalBatch batch) {
        return new Totals(sum(rows, batch.rows()), sum(bytes, batch.bytes()), plus(batch.counts()));
    }

    private List<Count> plus(List<Count> more) {
        if (more.isEmpty()) {
            return counts;
        }
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach(count -> sums.put(count.name(), count.value()));
        for (Count count : more) {
            if (sums.containsKey(count.name()) || sums.size() < NAMES_MAX) {
                sums.merge(count.name(), count.value(), Totals::sum);
            }
        }
        List<Count> summed = new ArrayList<>();
        sums.forEach((name, value) -> summed.add(new Count(name, value)));
        return summed;
    }

    /** Neither is negative. */
    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
