package io.batchweave.model;

/** A named addition to the format, and of whom knowing it is required. */
public record Feature(String name, RequiredOf requiredOf) {
    public Feature {
        Names.checkPathPart("feature", name);
    }

    /** Who must know a feature to work on the dataset. */
    public enum RequiredOf {
        /** Readers and writers. */
        EVERYONE,
        /** Writers alone; others may read. */
        WRITERS
    }
}
