package io.batchweave.cli.verify;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.History;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.StepRanges;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.SliceReader;
import io.batchweave.state.Applied;
import io.batchweave.state.Position;
import io.batchweave.state.Receipts;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Proves what the model of a checkpoint was trained on. The log is replayed from its first commit,
 * so nothing is believed that somebody computed before; the checkpoint need not be kept any more.
 */
public final class Prover {
    private final ObjectStore store;
    private final Layout layout;
    private final BufferAllocator allocator;
    private final History history;

    private final Map<String, Found> byJob = new TreeMap<>();
    private final List<Skip> skips = new ArrayList<>();
    private final List<StepRecord> old = new ArrayList<>();
    private State state;

    /** A checkpoint that counted, where it stood in the log. */
    private record Found(Checkpoint entry, Position position, long attachedAt, List<Skip> skips) {}

    public Prover(ObjectStore store, DatasetName dataset, BufferAllocator allocator) {
        this.store = store;
        this.layout = new Layout(dataset);
        this.allocator = allocator;
        this.history = new History(store, dataset);
    }

    /**
     * Replays the log and finds a checkpoint; of several of its name, the newest.
     *
     * @param job whose it is; empty: whoever's
     * @throws InvalidRequestException if there is none, or if several jobs have one
     * @throws CorruptException if a commit is not what was written
     */
    public Proof prove(String checkpoint, String job) {
        Optional<Commit> commit = history.read(0);
        for (long version = 0; commit.isPresent(); commit = history.read(++version)) {
            Applied applied = state == null ? State.first(commit.get()) : state.apply(commit.get());
            applied.cut().forEach(segment -> old.addAll(segment.steps()));
            state = applied.state();
            for (int i = 0; i < applied.verdicts().size(); i++) {
                if (!(applied.verdicts().get(i) instanceof Ignored)) {
                    note(commit.get().entries().get(i), checkpoint, job);
                }
            }
        }
        return proof(only(checkpoint, job));
    }

    private void note(Entry entry, String checkpoint, String job) {
        if (entry instanceof Skip skip) {
            skips.add(skip);
        }
        if (entry instanceof Checkpoint made
                && made.checkpoint().equals(checkpoint)
                && (job.isEmpty() || made.job().equals(job))) {
            state.job(made.job())
                    .flatMap(known -> known.checkpoint(checkpoint).map(at -> found(made, at)))
                    .ifPresent(found -> byJob.put(made.job(), found));
        }
    }

    private Found found(Checkpoint entry, Position position) {
        long attachedAt = state.job(entry.job()).orElseThrow().attached().nextStep();
        return new Found(entry, position, attachedAt, List.copyOf(skips));
    }

    private Found only(String checkpoint, String job) {
        if (byJob.size() == 1) {
            return byJob.values().iterator().next();
        }
        String of = "checkpoint " + checkpoint + (job.isEmpty() ? "" : " of job " + job);
        throw new InvalidRequestException(
                "Cannot prove "
                        + of
                        + " of "
                        + layout.dataset()
                        + ": "
                        + (byJob.isEmpty()
                                ? "no job ever made it; 'log' lists those that were made"
                                : "the jobs "
                                        + String.join(", ", byJob.keySet())
                                        + " made one of that name; name one by --job"));
    }

    private Proof proof(Found found) {
        Position at = found.position();
        return new Proof(
                found.entry().job(),
                found.entry().session(),
                at.checkpoint(),
                found.attachedAt(),
                at.nextStep(),
                at.passed(),
                reasons(found),
                at.receipt(),
                Receipts.given(receiptBefore(at.nextStep()), at.passed()));
    }

    /** What the newest skips said before the checkpoint, as far as it passed over their steps. */
    private static List<Proof.Passed> reasons(Found found) {
        List<Proof.Passed> reasons = new ArrayList<>();
        StepRanges left = found.position().passed().from(found.attachedAt());
        for (int i = found.skips().size() - 1; i >= 0; i--) {
            Skip skip = found.skips().get(i);
            StepRanges passed = left.within(skip.steps());
            if (!passed.isEmpty()) {
                reasons.add(new Proof.Passed(passed, skip.reason()));
                left = left.without(skip.steps());
            }
        }
        return reasons;
    }

    /**
     * The steps that the model was trained on, in order, from the log alone.
     *
     * @throws CorruptException if a commit is not what was written
     */
    public void steps(Proof proof, Consumer<Proof.Step> taker) {
        each(proof, step -> taker.accept(of(step, Proof.Payload.UNREAD, "")));
    }

    /** The same, and whether the payload of each is what was published, where it is still there. */
    public void stepsAndPayload(Proof proof, Consumer<Proof.Step> taker) {
        SliceReader reader =
                new SliceReader(PayloadSchema.parse(state.dataset().schema()), allocator);
        PartCheck check = new PartCheck(store, reader, allocator);
        each(proof, step -> taker.accept(checked(step, check)));
    }

    private void each(Proof proof, Consumer<StepRecord> taker) {
        long first = proof.passed().nextOutside(proof.attachedAt());
        for (long step = first;
                step < proof.nextStep();
                step = proof.passed().nextOutside(step + 1)) {
            taker.accept(step(step));
        }
    }

    private StepRecord step(long step) {
        return step < old.size() ? old.get((int) step) : state.step(step);
    }

    private Bytes receiptBefore(long step) {
        return state.receiptBefore(step).orElseGet(() -> step(step - 1).receipt());
    }

    private Proof.Step checked(StepRecord step, PartCheck check) {
        List<Part> parts = step.batch().parts();
        Proof.Payload gone =
                step.step() < state.lowStep() ? Proof.Payload.SWEPT : Proof.Payload.GONE;
        for (int i = 0; i < parts.size(); i++) {
            String key = layout.part(step.claim(), i);
            try {
                if (!check.isThere(key, parts.get(i))) {
                    return of(step, gone, "");
                }
                check.check(key, parts.get(i));
            } catch (CorruptException e) {
                // A sweep may have deleted it since we looked.
                return isGone(key)
                        ? of(step, gone, "")
                        : of(step, Proof.Payload.CHANGED, e.getMessage());
            }
        }
        return of(step, Proof.Payload.SAME, "");
    }

    private boolean isGone(String key) {
        return store.readInto(key, 0, ByteBuffer.allocate(0)) instanceof Fetched.Absent;
    }

    private Proof.Step of(StepRecord step, Proof.Payload payload, String why) {
        return new Proof.Step(step, provenance(step), payload, why);
    }

    private Provenance provenance(StepRecord step) {
        return history.read(step.version()).stream()
                .flatMap(commit -> commit.entries().stream())
                .filter(Publish.class::isInstance)
                .map(Publish.class::cast)
                .filter(publish -> publish.claim().equals(step.claim()))
                .map(publish -> publish.batch().provenance())
                .findFirst()
                .orElse(Provenance.NONE);
    }
}
