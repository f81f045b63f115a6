package io.batchweave.state;

import io.batchweave.model.Claim;
import io.batchweave.model.Setting.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** What of a dataset must be kept, and for whom: computed from the State, kept nowhere. */
public final class Retention {
    private Retention() {}

    /**
     * The lowest pinned step over all attached jobs, and whose it is; empty if none is attached.
     */
    public static Optional<Pin> lowestPin(State state) {
        return Pin.lowest(state.jobs());
    }

    /** The attached job that is least far; empty if none is attached. */
    public static Optional<Slowest> slowest(State state) {
        return state.jobs().entrySet().stream()
                .filter(job -> job.getValue().isAttached())
                .map(job -> slowest(job.getKey(), job.getValue()))
                .min(Comparator.comparingLong(Slowest::nextStep));
    }

    private static Slowest slowest(String name, JobState job) {
        long step = job.position().nextStep();
        return new Slowest(
                name,
                job.position(),
                job.session().map(session -> session.passed().nextOutside(step)).orElse(step));
    }

    /**
     * Whether what ranks said in a session counts for nothing any more: a later one has started, or
     * its job is detached, or attached anew. One that the State does not know yet is not over: its
     * job may have attached again.
     *
     * @param session its version
     */
    public static boolean isOver(JobState job, long session, State state) {
        return session < job.session().map(Session::version).orElse(job.version())
                || (!job.isAttached() && session <= state.version());
    }

    /** Whether nothing more of an epoch can come in. */
    public static boolean isOver(String producer, long epoch, State state) {
        return state.producer(producer)
                .filter(
                        known ->
                                known.isOver(epoch)
                                        || (epoch == known.epoch()
                                                && state.phase() == State.Phase.SEALED))
                .isPresent();
    }

    /**
     * Whether nothing that was uploaded for a claim can be needed (SWEEP-5): of steps below the low
     * step, or never committed and too late for it. What is neither this nor payload of a step
     * below the low step is kept.
     */
    public static boolean isOrphaned(Claim claim, State state) {
        return isOver(claim.producer(), claim.epoch(), state)
                && claim.sequence()
                        >= state.producer(claim.producer())
                                .orElseThrow()
                                .endSequence(claim.epoch());
    }

    /**
     * The first step whose payload must be kept, for a job or by a policy.
     *
     * @param now the store's time
     */
    public static long keptFrom(State state, Instant now) {
        Duration age = state.settings().keepFor();
        long young = age.isZero() ? state.nextStep() : state.steps().firstAfter(now.minus(age));
        return Math.min(young, keptAtAnyTime(state));
    }

    /**
     * The first step whose payload must be kept whatever the time is: what the State alone says.
     */
    public static long keptAtAnyTime(State state) {
        Settings settings = state.settings();
        if (settings.retention() == RetentionPolicy.FOREVER || state.jobs().isEmpty()) {
            return 0;
        }
        long head = state.nextStep();
        long pinned = lowestPin(state).map(Pin::step).orElse(head);
        return Math.min(pinned, Math.max(0, head - settings.keepSteps()));
    }
}
