package io.batchweave.state;

import io.batchweave.model.Bytes;
import java.time.Instant;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/**
 * What is known of one producer.
 *
 * @param epoch version of the commit that opened its present incarnation
 * @param openingId what that incarnation recognises itself by
 * @param nextSequence the sequence of its next claim
 * @param progress source positions after its last claim, opaque
 * @param steps steps it has published, over all its epochs
 * @param lastStep the last step that the present epoch published; {@value #NO_STEP}: none
 * @param former the epochs before the present one that published steps whose payload is kept, in
 *     order; what any other one before it uploaded is not needed any more
 * @param lastActivity time of the last commit that opened it or held a claim of it
 */
public record ProducerState(
        long epoch,
        String openingId,
        long nextSequence,
        Activity activity,
        Bytes progress,
        long steps,
        long lastStep,
        PVector<FormerEpoch> former,
        Instant lastActivity) {
    /** What {@code lastStep} is of an epoch that has published none. */
    public static final long NO_STEP = -1;

    /** Whether more is to come of a producer. */
    public enum Activity {
        /** It may publish more. */
        OPEN,
        /** It has published all it has. */
        FINISHED
    }

    /** A producer that opens for the first time. */
    static ProducerState first(long version, String id, Instant at) {
        return new ProducerState(
                version, id, 0, Activity.OPEN, Bytes.EMPTY, 0, NO_STEP, TreePVector.empty(), at);
    }

    /** Whether it has published all it has. */
    public boolean finished() {
        return activity == Activity.FINISHED;
    }

    ProducerState opened(long version, String id, Instant at, Kept kept) {
        return new ProducerState(
                version,
                id,
                nextSequence,
                Activity.OPEN,
                progress,
                steps,
                NO_STEP,
                lastStep < kept.lowStep()
                        ? former
                        : former.plus(new FormerEpoch(epoch, nextSequence, lastStep)),
                at);
    }

    ProducerState published(long step, Bytes newProgress, Instant at) {
        return new ProducerState(
                epoch,
                openingId,
                nextSequence + 1,
                Activity.OPEN,
                newProgress,
                steps + 1,
                step,
                former,
                at);
    }

    ProducerState finished(Bytes newProgress, Instant at) {
        return new ProducerState(
                epoch,
                openingId,
                nextSequence + 1,
                Activity.FINISHED,
                newProgress,
                steps,
                lastStep,
                former,
                at);
    }

    /** Whether nothing more of an epoch can come in, as far as the producer is concerned. */
    boolean isOver(long someEpoch) {
        return someEpoch < epoch || (someEpoch == epoch && finished());
    }

    /**
     * The sequence from which on nothing that an epoch uploaded can be in a step whose payload is
     * kept.
     */
    public long endSequence(long someEpoch) {
        return someEpoch == epoch
                ? nextSequence
                : former.stream()
                        .filter(each -> each.epoch() == someEpoch)
                        .mapToLong(FormerEpoch::endSequence)
                        .findFirst()
                        .orElse(0);
    }

    /** Without the former epochs of which no payload is kept. */
    ProducerState swept(Kept kept) {
        int gone = 0;
        while (gone < former.size() && former.get(gone).lastStep() < kept.lowStep()) {
            gone++;
        }
        return gone == 0
                ? this
                : new ProducerState(
                        epoch,
                        openingId,
                        nextSequence,
                        activity,
                        progress,
                        steps,
                        lastStep,
                        former.subList(gone, former.size()),
                        lastActivity);
    }
}
