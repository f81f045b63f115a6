package io.batchweave.state;

import io.batchweave.model.Bytes;
import java.time.Instant;

/**
 * What is known of one producer.
 *
 * @param epoch version of the commit that opened its present incarnation
 * @param openingId what that incarnation recognises itself by
 * @param nextSequence the sequence of its next claim
 * @param progress source positions after its last claim, opaque
 * @param steps steps it has published, over all its epochs
 * @param lastActivity time of the last commit that opened it or held a claim of it
 */
public record ProducerState(
        long epoch,
        String openingId,
        long nextSequence,
        Activity activity,
        Bytes progress,
        long steps,
        Instant lastActivity) {

    /** Whether more is to come of a producer. */
    public enum Activity {
        /** It may publish more. */
        OPEN,
        /** It has published all it has. */
        FINISHED
    }

    /** Whether it has published all it has. */
    public boolean finished() {
        return activity == Activity.FINISHED;
    }

    ProducerState opened(long version, String id, Instant at) {
        return new ProducerState(version, id, nextSequence, Activity.OPEN, progress, steps, at);
    }

    ProducerState published(Bytes newProgress, Instant at) {
        return new ProducerState(
                epoch, openingId, nextSequence + 1, Activity.OPEN, newProgress, steps + 1, at);
    }

    ProducerState finished(Bytes newProgress, Instant at) {
        return new ProducerState(
                epoch, openingId, nextSequence + 1, Activity.FINISHED, newProgress, steps, at);
    }
}
