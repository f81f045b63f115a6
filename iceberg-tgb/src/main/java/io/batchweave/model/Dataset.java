package io.batchweave.model;

import java.util.List;

/**
 * A named table of training steps: what its log says of it as a whole.
 *
 * @param id tells it from a later dataset of the same name
 * @param schema payload schema in Iceberg's JSON form
 * @param producers the declared producers; the dataset is sealed when all of them have finished;
 *     empty: none declared
 */
public record Dataset(
        String id, String schema, SliceGrid grid, List<String> producers, List<Feature> features) {
    /**
     * Number of the payload schema: a dataset has one. The id that Iceberg's JSON form names
     * belongs to the table it was taken from, and does not count.
     */
    public static final int SCHEMA_ID = 0;

    public Dataset {
        producers = List.copyOf(producers);
        features = List.copyOf(features);
    }

    /** Whether this producer may open: where producers are declared, no other may. */
    public boolean admits(String producer) {
        return producers.isEmpty() || producers.contains(producer);
    }
}
