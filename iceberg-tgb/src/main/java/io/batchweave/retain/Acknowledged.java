package io.batchweave.retain;

import io.batchweave.state.Position;

/** What became of a rank's acknowledgement, which is durable in any case. */
public sealed interface Acknowledged {

    /** All ranks have acknowledged, and the checkpoint is in the log. */
    record Complete(Position checkpoint) implements Acknowledged {}

    /** So many ranks have not acknowledged yet: nothing is pinned, and nothing released. */
    record Waiting(int missing) implements Acknowledged {}
}
