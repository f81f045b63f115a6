package io.batchweave.cli;

import io.batchweave.model.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one run of an ingest published.
 *
 * @param newestStep the step of its last batch; -1 without one
 * @param counts what its batches hold
 */
record Ingested(long batches, long newestStep, List<Count> counts) {
    /** Nothing, which is told by these counts of nothing. */
    static Ingested nothing(List<Count> zeros) {
        return new Ingested(0, -1, zeros);
    }

    /** The counts, for people. */
    String told() {
        if (counts.stream().anyMatch(count -> count.name().equals("rows"))) {
            return Output.count(count("rows"), "row", "rows");
        }
        return Output.count(count("tokens"), "token", "tokens")
                + " of "
                + Output.count(count("documents"), "document", "documents");
    }

    /** The counts of both together; the names are those of {@code more}. */
    static List<Count> sum(List<Count> counts, List<Count> more) {
        Map<String, Long> before =
                counts.stream().collect(Collectors.toMap(Count::name, Count::value));
        List<Count> sums = new ArrayList<>();
        for (Count count : more) {
            sums.add(
                    new Count(count.name(), count.value() + before.getOrDefault(count.name(), 0L)));
        }
        return sums;
    }

    private long count(String name) {
        return counts.stream()
                .filter(count -> count.name().equals(name))
                .mapToLong(Count::value)
                .sum();
    }
}
