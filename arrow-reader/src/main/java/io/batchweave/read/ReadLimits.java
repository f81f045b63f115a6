package io.batchweave.read;

/**
 * What one reader may take.
 *
 * @param prefetchBytes memory of steps that are fetched or being fetched and not yet delivered, as
 *     the allocator counts it; one step is always allowed, however large. At most as much again, or
 *     one step, is kept of steps that were given back, for the next ones
 * @param stepEnd the first step that is not read any more: the reader ends before it
 * @param fetches how long steps are waited for while they are fetched
 */
public record ReadLimits(long prefetchBytes, long stepEnd, FetchLimits fetches) implements Runway {
    public static final ReadLimits DEFAULT = new ReadLimits(256L << 20, Long.MAX_VALUE);

    public ReadLimits {
        if (prefetchBytes < 0 || stepEnd < 0) {
            throw new IllegalArgumentException(
                    "Invalid limits of a reader: prefetch of "
                            + prefetchBytes
                            + " bytes, end at step "
                            + stepEnd
                            + "; neither may be negative");
        }
    }

    /** These, and the usual limits of fetches. */
    public ReadLimits(long prefetchBytes, long stepEnd) {
        this(prefetchBytes, stepEnd, FetchLimits.DEFAULT);
    }

    @Override
    public boolean hasRoom(int steps, long bytes, long more) {
        return bytes + more <= prefetchBytes;
    }

    /** The same limits with another end. */
    public ReadLimits endingAt(long step) {
        return new ReadLimits(prefetchBytes, step, fetches);
    }

    /** The same limits with others of fetches. */
    public ReadLimits with(FetchLimits other) {
        return new ReadLimits(prefetchBytes, stepEnd, other);
    }
}
