package io.batchweave.state;

/**
 * When a State is due to be saved: after so many commits or bytes that reading them would take a
 * newcomer longer than it should. It follows from the log, so that of all who could save a State
 * few do.
 *
 * @param due the newest version that is due; -1: none yet
 * @param weight of what was published since
 */
public record Saving(long due, long weight) {
    /** A State is due after so many commits. */
    public static final long COMMITS_MAX = 16;

    /** A State is due after so many bytes, about. */
    static final long WEIGHT_MAX = 1 << 20;

    static final Saving NONE = new Saving(-1, 0);

    /** After one more commit. */
    Saving after(long version, long published) {
        long since = weight + published;
        return version - due >= COMMITS_MAX || since >= WEIGHT_MAX
                ? new Saving(version, 0)
                : new Saving(due, since);
    }
}
