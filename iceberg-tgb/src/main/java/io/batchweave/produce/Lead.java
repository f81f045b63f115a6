package io.batchweave.produce;

import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.state.ProducerState;
import io.batchweave.state.Retention;
import io.batchweave.state.Slowest;
import io.batchweave.state.State;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a producer from running away from the jobs that read what it publishes (PRODUCE-5).
 *
 * <p>While it waits it looks for news at most once a second: a thousand producers may wait at once.
 * A wait has no end of its own, for the job may be down for days; whoever does not want to wait
 * interrupts it, or alters the setting.
 */
final class Lead {
    private static final Logger LOG = LoggerFactory.getLogger(Lead.class);
    private static final Duration POLL_FIRST = Duration.ofMillis(10);
    private static final Duration POLL_MOST = Duration.ofSeconds(1);

    private final Log log;
    private final String producer;
    private final long epoch;
    private final Consumer<String> teller;

    /** The job that was told of; empty: the last batch did not wait. */
    private String told = "";

    Lead(Log log, String producer, long epoch) {
        this(log, producer, epoch, text -> LOG.warn("Waiting: {}", text));
    }

    Lead(Log log, String producer, long epoch, Consumer<String> teller) {
        this.log = log;
        this.producer = producer;
        this.epoch = epoch;
        this.teller = teller;
    }

    /**
     * Returns when a further batch is not too far ahead of the slowest job.
     *
     * @param inFlight batches of ours that are not in the log yet
     * @param flush gets them into it: the job may be waiting for them
     * @throws UnavailableException if the thread is interrupted
     */
    void await(int inFlight, Runnable flush) {
        if (tooSlow(log.state(), inFlight).isEmpty()) {
            told = "";
            return;
        }
        flush.run();
        State state = log.catchUp();
        Optional<Slowest> slow = tooSlow(state, 0);
        if (slow.isPresent()) {
            tell(slow.get(), state);
        }
        for (Duration poll = POLL_FIRST; slow.isPresent(); poll = longer(poll)) {
            log.world().pause().pause(poll);
            if (Thread.currentThread().isInterrupted()) {
                throw new UnavailableException(
                        "Cannot go on publishing to "
                                + log.layout().dataset()
                                + ": interrupted while waiting; "
                                + text(slow.get(), state)
                                + "; open the producer again to go on");
            }
            state = log.catchUp();
            slow = tooSlow(state, 0);
        }
    }

    /** Once, as long as one batch after the other waits for the same job. */
    private void tell(Slowest slow, State state) {
        if (!told.equals(slow.job())) {
            told = slow.job();
            teller.accept(text(slow, state));
        }
    }

    /** The job that we are too far ahead of; none where we could publish nothing anyway. */
    private Optional<Slowest> tooSlow(State state, int inFlight) {
        long maxLead = state.settings().maxLead();
        boolean isOver =
                state.phase() == State.Phase.SEALED
                        || state.producer(producer)
                                .map(ProducerState::epoch)
                                .filter(current -> current != epoch)
                                .isPresent();
        return maxLead == 0 || isOver
                ? Optional.empty()
                : Retention.slowest(state)
                        .filter(job -> state.nextStep() + inFlight - job.nextStep() >= maxLead);
    }

    private String text(Slowest slow, State state) {
        return "producer %s of %s is %d steps ahead of job %s, which is at %s; max-lead is %d"
                .formatted(
                        producer,
                        log.layout().dataset(),
                        state.nextStep() - slow.nextStep(),
                        slow.job(),
                        slow.position(),
                        state.settings().maxLead());
    }

    private static Duration longer(Duration poll) {
        Duration twice = poll.multipliedBy(2);
        return twice.compareTo(POLL_MOST) < 0 ? twice : POLL_MOST;
    }
}
