package io.batchweave.model;

/** Something of a dataset that may change while it is in use. */
public sealed interface Setting {

    /** What keeps payload besides the policies below. */
    record Retention(RetentionPolicy policy) implements Setting {}

    /** So many of the newest steps are kept, whatever jobs need; 0: none on that account. */
    record KeepSteps(long steps) implements Setting {
        public KeepSteps {
            checkNotNegative("keep-steps", steps);
        }
    }

    /** Steps of so many milliseconds are kept, whatever jobs need; 0: none on that account. */
    record KeepFor(long ms) implements Setting {
        public KeepFor {
            checkNotNegative("keep-for", ms);
        }
    }

    /** How many steps producers may be ahead of the slowest job; 0: as many as they like. */
    record MaxLead(long steps) implements Setting {
        public MaxLead {
            checkNotNegative("max-lead", steps);
        }
    }

    /** Who decides how long payload is kept. */
    enum RetentionPolicy {
        /** What no attached job may still need is not kept on their account. */
        CHECKPOINTS,
        /** Everything is kept. */
        FOREVER
    }

    private static void checkNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "Invalid " + name + " of " + value + ": use 0 for none, or more");
        }
    }
}
