package io.batchweave.model;

import java.util.Comparator;
import java.util.List;

/**
 * Everything one step needs.
 *
 * @param schemaId the payload schema its slices were written with
 * @param parts payload objects; their slices, in this order, fill the grid
 * @param counts additive measures, sorted by name
 * @param provenance which rows of which inputs it was made of
 */
public record GlobalBatch(
        int schemaId, List<Part> parts, List<Count> counts, Provenance provenance) {
    public GlobalBatch {
        parts = List.copyOf(parts);
        counts = counts.stream().sorted(Comparator.comparing(Count::name)).toList();
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("Invalid global batch: it has no part");
        }
        Names.checkDistinct("global batch", "count", counts.stream().map(Count::name).toList());
        int slices = slices(parts);
        if (provenance.rows().stream().anyMatch(rows -> rows.slice() >= slices)) {
            throw new IllegalArgumentException(
                    "Invalid global batch: rows fill a slice beyond its " + slices);
        }
    }

    /** A batch whose producer does not tell where it comes from. */
    public GlobalBatch(int schemaId, List<Part> parts, List<Count> counts) {
        this(schemaId, parts, counts, Provenance.NONE);
    }

    /** The same batch, as far as readers need it. */
    public GlobalBatch withoutProvenance() {
        return provenance.equals(Provenance.NONE) ? this : new GlobalBatch(schemaId, parts, counts);
    }

    /** Slices over all parts. */
    public int slices() {
        return slices(parts);
    }

    private static int slices(List<Part> parts) {
        return parts.stream().mapToInt(part -> part.slices().size()).sum();
    }

    /** Rows over all slices. */
    public long rows() {
        return parts.stream().flatMap(part -> part.slices().stream()).mapToLong(Slice::rows).sum();
    }

    /** Payload bytes over all parts. */
    public long bytes() {
        return parts.stream().mapToLong(Part::length).sum();
    }
}
