package io.batchweave.model;

import java.util.List;

/**
 * Which rows of which inputs a batch was made of.
 *
 * @param sources inputs; empty where the producer does not tell
 * @param rows in the order in which they fill the slices, one slice after the other
 */
public record Provenance(List<Source> sources, List<SourceRows> rows) {
    /** That of a batch whose producer does not tell. */
    public static final Provenance NONE = new Provenance(List.of(), List.of());

    public Provenance {
        sources = List.copyOf(sources);
        rows = List.copyOf(rows);
        int known = sources.size();
        rows.stream()
                .filter(each -> each.source() >= known)
                .findFirst()
                .ifPresent(each -> refuse(each, known));
    }

    private static void refuse(SourceRows rows, int sources) {
        throw new IllegalArgumentException(
                "Invalid provenance: rows of source %d of %d".formatted(rows.source(), sources));
    }
}
