package io.batchweave.sim;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.read.Cursor;
import io.batchweave.retain.Swept;
import io.batchweave.sim.LogModel.Step;
import io.batchweave.state.Receipts;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fetched;
import io.batchweave.testing.Numbers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes down what participants are told, and holds it against the log: some of it at once, the rest
 * when all is over.
 */
final class Witness {
    private final Onlooker onlooker;
    private final Layout layout;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private final Map<Claim, Throwable> excluded = new HashMap<>();
    private final List<Delivered> delivered = new ArrayList<>();
    private final Set<State> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Long> ends = new HashMap<>();
    private final Map<String, String> uploaders = new HashMap<>();
    private final Map<String, Bytes> given = new HashMap<>();
    private final List<Taken> taken = new ArrayList<>();
    private final List<Begun> begun = new ArrayList<>();
    private final Consumer<Violation> alarm;

    private record Acknowledged(Claim claim, long number, long step) {}

    private record Taken(Session session, long from, Cursor cursor) {}

    private record Begun(Claim claim, long version) {}

    private record Delivered(String reader, long step, long number, Bytes receipt) {}

    /**
     * @param onlooker the store, whatever becomes of requests on their way to it
     * @param alarm is told of a violation at once: who is thrown it may keep it to himself
     */
    Witness(Onlooker onlooker, Layout layout, Consumer<Violation> alarm) {
        this.onlooker = onlooker;
        this.layout = layout;
        this.alarm = alarm;
    }

    /** Raises the alarm and throws if something does not hold that must, now. */
    void demand(boolean holds, Supplier<String> otherwise) {
        try {
            Violation.unless(holds, otherwise);
        } catch (Violation violation) {
            alarm.accept(violation);
            throw violation;
        }
    }

    /** A process makes a payload object visible; nobody may do that a second time (PRODUCE-3). */
    void uploaded(String key, String host) {
        String other = uploaders.putIfAbsent(key, host);
        demand(
                other == null,
                () -> "%s was written by %s, and again by %s".formatted(key, other, host));
    }

    boolean wasCreated(String key) {
        return onlooker.wasCreated(key);
    }

    /** Whether somebody may have lost sight of a commit of his. */
    boolean wasTrimmed() {
        return !onlooker.list(layout.boundaries(), "").objects().isEmpty();
    }

    /** A reader was told that a step is swept. */
    void expired(ExpiredException told) {
        long low = LogModel.of(onlooker).lowStep();
        demand(
                told.firstKept() > 0 && told.firstKept() <= low,
                () ->
                        "somebody was sent to step %d; the low step is %d"
                                .formatted(told.firstKept(), low));
    }

    /** A sweep came to its end. */
    void swept(Swept swept) {
        long low = LogModel.of(onlooker).lowStep();
        demand(
                swept.lowStep() <= low,
                () ->
                        "a sweep went to step %d; the low step is %d"
                                .formatted(swept.lowStep(), low));
    }

    /** Somebody is about to delete these: nobody may ever need them, as the log is now. */
    void deleting(Collection<String> keys) {
        Optional<String> objection = new Deletions(onlooker, layout).objection(keys);
        demand(objection.isEmpty(), objection::orElseThrow);
    }

    /** Somebody holds this State. */
    void saw(State state) {
        seen.add(state);
    }

    /** A producer begins a batch, having looked at this State last. */
    void began(Claim claim, State state) {
        saw(state);
        begun.add(new Begun(claim, state.version()));
    }

    /** A producer was told that its batch is this step; its own State says where that is. */
    void acknowledged(Claim claim, long number, long step, State state) {
        saw(state);
        demandIsIn(claim, state.step(step), "was acknowledged");
        acknowledged.add(new Acknowledged(claim, number, step));
    }

    /** A producer was told why a batch did not get in; of some failures, that it never will. */
    void failed(Claim claim, Throwable failure) {
        if (!(failure instanceof CommitUnknownException || failure instanceof CorruptException)) {
            excluded.put(claim, failure);
        }
    }

    /** A reader was given the batch of this number as this step. */
    void delivered(String reader, long step, long number, Bytes receipt, State state) {
        saw(state);
        demandIsIn(state.step(step).claim(), state.step(step), "was delivered");
        delivered.add(new Delivered(reader, step, number, receipt));
    }

    /**
     * A rank of a session was given the steps from {@code from} on, as far as they are given, up to
     * a cursor. All ranks of the session must be given the same.
     */
    void given(Session session, long from, Cursor cursor) {
        String where = session.job() + " " + session.version() + " " + cursor.nextStep();
        Bytes other = given.putIfAbsent(where, cursor.receipt());
        demand(
                other == null || other.equals(cursor.receipt()),
                () ->
                        "up to step %d of session %s one rank was given %s and another %s"
                                .formatted(
                                        cursor.nextStep(), session.id(), other, cursor.receipt()));
        taken.add(new Taken(session, from, cursor));
    }

    /** A reader was told that no step follows those before this one. */
    void ended(String reader, long steps) {
        ends.put(reader, steps);
    }

    private void demandIsIn(Claim claim, StepRecord step, String what) {
        demand(
                onlooker.commit(step.version()).stream()
                        .flatMap(commit -> commit.entries().stream())
                        .anyMatch(entry -> isOf(claim, entry)),
                () ->
                        "%s %s as of version %d, and is not in"
                                .formatted(claim, what, step.version()));
    }

    private static boolean isOf(Claim claim, Entry entry) {
        return entry instanceof Publish publish && publish.claim().equals(claim);
    }

    /** Holds all that was told against the log. */
    void check() {
        LogModel log = LogModel.of(onlooker);
        log.steps().stream().skip(log.lowStep()).forEach(this::checkPayload);
        checkProducers(log);
        acknowledged.forEach(batch -> checkAcknowledged(batch, log));
        for (Step step : log.steps()) {
            Violation.unless(
                    !excluded.containsKey(step.claim()),
                    () ->
                            "%s is in; it was said to be impossible: %s"
                                    .formatted(step.claim(), excluded.get(step.claim())));
        }
        for (State state : seen) {
            Meaning meaning = Meaning.of(state);
            Violation.unless(
                    log.after(meaning.version()).filter(meaning::equals).isPresent(),
                    () ->
                            "somebody took the log for %s; it is %s"
                                    .formatted(meaning, log.after(meaning.version())));
        }
        delivered.forEach(step -> checkDelivered(step, log));
        taken.forEach(step -> checkTaken(step, log));
        begun.forEach(batch -> checkBegun(batch, log));
        ends.forEach(
                (reader, steps) ->
                        Violation.unless(
                                log.isSealed() && steps == log.steps().size(),
                                () ->
                                        "reader %s ended after %d of %d steps"
                                                .formatted(reader, steps, log.steps().size())));
    }

    /** A rank was given the next step that its session does not pass over, and its receipt. */
    private static void checkTaken(Taken step, LogModel log) {
        JobModel.Run run = log.jobs().run(step.session().job(), step.session().version());
        Violation.unless(run != null, () -> "%s is of no session".formatted(step));
        long expected = step.from();
        while (run.passed().contains(expected)) {
            expected++;
        }
        long next = expected + 1;
        Violation.unless(
                step.cursor().nextStep() == next,
                () -> "%s is not the step before %d of %s".formatted(step, next, run));
        List<StepRange> passed =
                run.passed().stream()
                        .filter(other -> other < next)
                        .map(other -> new StepRange(other, other))
                        .toList();
        Bytes receipt = Receipts.given(log.receiptBefore(next), new StepRanges(passed));
        Violation.unless(
                step.cursor().receipt().equals(receipt),
                () -> "%s has not the receipt %s".formatted(step, receipt));
    }

    /**
     * No batch is begun too far ahead of the slowest job, as far as its producer knew, who counts
     * what it has handed over (PRODUCE-5).
     */
    private static void checkBegun(Begun batch, LogModel log) {
        Meaning known = log.after(batch.version()).orElseThrow();
        Meaning.Known self = known.producers().get(batch.claim().producer());
        JobModel.Bounds bounds = known.bounds();
        boolean isOver = known.sealed() || self.epoch() != batch.claim().epoch();
        long inFlight = batch.claim().sequence() - self.next();
        Violation.unless(
                isOver
                        || bounds.maxLead() == 0
                        || bounds.slowest() == JobModel.NOBODY
                        || known.steps() + inFlight - bounds.slowest() < bounds.maxLead(),
                () ->
                        "%s was begun with %d in flight on %s"
                                .formatted(batch.claim(), inFlight, known));
    }

    /** A step is whole: what its commit names is there, byte for byte. */
    private void checkPayload(Step step) {
        for (int i = 0; i < step.batch().parts().size(); i++) {
            Part part = step.batch().parts().get(i);
            String key = layout.part(step.claim(), i);
            Fetched fetched = onlooker.read(key, Integer.MAX_VALUE);
            Violation.unless(
                    fetched instanceof Fetched.Found, () -> "%s is missing".formatted(key));
            ByteBuffer body = ((Fetched.Found) fetched).body();
            Violation.unless(
                    digest(body).equals(part.digest()),
                    () -> "%s is something else".formatted(key));
        }
    }

    private static Bytes digest(ByteBuffer body) {
        var sha256 = Bytes.sha256();
        sha256.update(body.duplicate());
        return Bytes.digestOf(sha256);
    }

    /** Each producer's steps are its batches 0, 1, 2, ..., each with the progress after it. */
    private static void checkProducers(LogModel log) {
        Map<String, Step> last = new HashMap<>();
        Map<String, Long> count = new HashMap<>();
        for (Step step : log.steps()) {
            String name = step.claim().producer();
            long number = count.merge(name, 1L, Long::sum) - 1;
            Violation.unless(
                    Numbers.nextBatch(step.progress()) == number + 1,
                    () ->
                            "the batch %d of %s came with progress to %d"
                                    .formatted(number, name, Numbers.nextBatch(step.progress())));
            Step before = last.put(name, step);
            if (before != null) {
                Violation.unless(
                        before.claim().epoch() <= step.claim().epoch(),
                        () -> "after %s came %s".formatted(before.claim(), step.claim()));
                Violation.unless(
                        before.claim().sequence() < step.claim().sequence(),
                        () -> "after %s came %s".formatted(before.claim(), step.claim()));
            }
        }
        count.forEach(
                (name, batches) ->
                        Violation.unless(
                                Numbers.nextBatch(log.producer(name).orElseThrow().progress())
                                        == batches,
                                () ->
                                        "producer %s has %d batches and other progress"
                                                .formatted(name, batches)));
    }

    private static void checkAcknowledged(Acknowledged batch, LogModel log) {
        long times = log.steps().stream().filter(step -> step.claim().equals(batch.claim)).count();
        Violation.unless(
                times == 1,
                () -> "%s was acknowledged and is in %d times".formatted(batch.claim, times));
        Step step = log.steps().get((int) batch.step);
        Violation.unless(
                step.claim().equals(batch.claim),
                () -> "%s is not step %d".formatted(batch.claim, batch.step));
        Violation.unless(
                Numbers.nextBatch(step.progress()) == batch.number + 1,
                () -> "step %d does not hold batch %d".formatted(batch.step, batch.number));
    }

    private static void checkDelivered(Delivered given, LogModel log) {
        Violation.unless(
                given.step < log.steps().size(),
                () -> "%s was given step %d, which is none".formatted(given.reader, given.step));
        Step step = log.steps().get((int) given.step);
        Violation.unless(
                step.receipt().equals(given.receipt),
                () ->
                        "%s was given step %d with another receipt"
                                .formatted(given.reader, given.step));
        long number =
                Sources.number(step.claim().producer(), Numbers.nextBatch(step.progress()) - 1);
        Violation.unless(
                number == given.number,
                () ->
                        "%s was given batch %d as step %d, which is %d"
                                .formatted(given.reader, given.number, given.step, number));
    }
}
