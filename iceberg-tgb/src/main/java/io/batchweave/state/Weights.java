package io.batchweave.state;

import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;

/**
 * About how many bytes a record takes where it is stored, and hardly ever fewer. It decides when
 * old steps are cut off and States are saved, so everybody must find the same: hence a sum of a few
 * products, and not the bytes themselves.
 */
final class Weights {
    private static final long STEP = 256;
    private static final long PART = 64;
    private static final long SLICE = 24;
    private static final long COUNT = 160;
    private static final long SOURCE = 256;
    private static final long ROWS = 24;

    private Weights() {}

    /** Of the record of a step. */
    static long of(GlobalBatch batch) {
        return STEP
                + PART * batch.parts().size()
                + SLICE * batch.slices()
                + COUNT * batch.counts().size();
    }

    /** Of what a commit says of a step. */
    static long of(Publish entry) {
        return of(entry.batch())
                + entry.progress().length()
                + SOURCE * entry.batch().provenance().sources().size()
                + ROWS * entry.batch().provenance().rows().size();
    }
}
