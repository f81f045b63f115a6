package io.batchweave.read;

import io.batchweave.state.StepRecord;
import java.util.List;

/** Where fetched steps go: the memory of this process, or files that others map. Thread-safe. */
public interface StepTarget<B extends Delivered> extends AutoCloseable {
    /** What a step takes of the budget. */
    long bytes(List<SliceRun> runs);

    /**
     * Fetches one reader's slices of a step and checks them. The caller closes what it gets.
     *
     * @param after where the reader goes on after the step
     * @throws MissingPayload if an object of it is not there
     * @throws io.batchweave.errors.CorruptException if what is stored is not what was published; it
     *     names the object
     * @throws io.batchweave.errors.UnavailableException if it cannot be fetched now
     */
    B fetch(StepRecord step, List<SliceRun> runs, Cursor after);

    /**
     * How long steps are waited for, and whether one is fetched twice, which it then must allow.
     */
    default FetchLimits limits() {
        return FetchLimits.DEFAULT.withoutHedges();
    }

    /** Frees what is kept for later steps. */
    @Override
    void close();
}
