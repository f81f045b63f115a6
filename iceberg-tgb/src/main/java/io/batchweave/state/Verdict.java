package io.batchweave.state;

/** What {@code apply} made of one entry. */
public sealed interface Verdict {

    /** It took effect. */
    record Accepted() implements Verdict {}

    /** It became this step. */
    record Published(long step) implements Verdict {}

    /** It is without effect, as if it had never been written. */
    record Ignored(Reason reason, String why) implements Verdict {}

    /** Why an entry is without effect. */
    enum Reason {
        /** The log already holds it: a retry, or a copy that somebody else carried. */
        ALREADY_IN,
        /** It belongs to an incarnation that was replaced. */
        FENCED,
        /** An earlier claim of its producer is missing. */
        GAP,
        /** Its producer never opened, or may not open here. */
        NOT_OPEN,
        /** The dataset was sealed, or its producer had finished. */
        ENDED,
        /** It does not fit the dataset: grid, schema, or a condition of its own. */
        UNFIT
    }
}
