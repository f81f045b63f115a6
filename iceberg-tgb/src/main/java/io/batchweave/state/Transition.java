package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Dataset;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Names;
import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Published;
import io.batchweave.state.Verdict.Reason;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.pcollections.PSortedMap;

/** One commit being applied, entry by entry. */
final class Transition {
    private final Dataset dataset;
    private final long version;
    private final Instant now;
    private State.Phase phase;
    private Bytes receipt;
    private PSortedMap<String, ProducerState> producers;
    private Steps steps;
    private Kept kept;
    private final JobTransition readers;
    private final Saving saving;
    private long published;

    /**
     * @param steps the steps before it
     */
    Transition(State before, Steps steps, long version, Instant now) {
        this.dataset = before.dataset();
        this.version = version;
        this.now = now;
        this.phase = before.phase();
        this.receipt = before.receipt();
        this.producers = before.producers();
        this.steps = steps;
        this.kept = before.kept();
        this.saving = before.saving();
        this.readers = new JobTransition(before, version, now);
    }

    State state() {
        return new State(
                dataset,
                version,
                now,
                phase,
                receipt,
                saving.after(version, published),
                producers,
                steps,
                kept,
                readers.settings(),
                readers.jobs(),
                readers.skips());
    }

    Verdict apply(Entry entry) {
        if (entry instanceof Publish publish) {
            return publish(publish);
        }
        if (entry instanceof Finish finish) {
            return finish(finish);
        }
        if (entry instanceof OpenProducer opening) {
            return open(opening);
        }
        if (entry instanceof Seal seal) {
            return seal(seal);
        }
        if (entry instanceof Sweep sweep) {
            return sweep(sweep);
        }
        return entry instanceof CreateDataset creation
                ? create(creation)
                : readers.apply(entry, steps.count(), kept).orElseThrow();
    }

    private Verdict create(CreateDataset entry) {
        return entry.datasetId().equals(dataset.id())
                ? ignored(Reason.ALREADY_IN, "the dataset was created at version 0")
                : ignored(Reason.UNFIT, "another dataset has this log");
    }

    private Verdict open(OpenProducer entry) {
        String name = entry.producer();
        ProducerState known = producers.get(name);
        if (known != null && known.openingId().equals(entry.openingId())) {
            return ignored(
                    Reason.ALREADY_IN, "this incarnation opened at version " + known.epoch());
        }
        if (phase == State.Phase.SEALED) {
            return ignored(Reason.ENDED, sealedText());
        }
        if (!dataset.admits(name)) {
            return ignored(
                    Reason.NOT_OPEN,
                    "the dataset declares the producers "
                            + Names.few(dataset.producers())
                            + " and no "
                            + name);
        }
        if (known != null && known.epoch() == version) {
            return ignored(Reason.FENCED, "another incarnation opened in the same commit");
        }
        ProducerState opened =
                known == null
                        ? ProducerState.first(version, entry.openingId(), now)
                        : known.opened(version, entry.openingId(), now, kept);
        producers = producers.plus(name, opened);
        return new Accepted();
    }

    private Verdict publish(Publish entry) {
        Optional<Ignored> objection = judge(entry.claim()).or(() -> judge(entry.batch()));
        if (objection.isPresent()) {
            return objection.get();
        }
        long step = steps.count();
        receipt = Receipts.next(receipt, step, entry.batch());
        steps =
                steps.plus(
                        new StepRecord(
                                step,
                                version,
                                now,
                                entry.claim(),
                                entry.batch().withoutProvenance(),
                                receipt));
        published += Weights.of(entry);
        String name = entry.claim().producer();
        producers =
                producers.plus(name, producers.get(name).published(step, entry.progress(), now));
        return new Published(step);
    }

    private Verdict finish(Finish entry) {
        Optional<Ignored> objection = judge(entry.claim());
        if (objection.isPresent()) {
            return objection.get();
        }
        String name = entry.claim().producer();
        producers = producers.plus(name, producers.get(name).finished(entry.progress(), now));
        if (!dataset.producers().isEmpty() && state().unfinished().isEmpty()) {
            phase = State.Phase.SEALED;
        }
        return new Accepted();
    }

    private Verdict seal(Seal entry) {
        if (phase == State.Phase.SEALED) {
            return ignored(Reason.ALREADY_IN, sealedText());
        }
        if (entry.condition() == SealCondition.ALL_FINISHED && !state().unfinished().isEmpty()) {
            return ignored(
                    Reason.UNFIT, "not finished: producer " + Names.few(state().unfinished()));
        }
        phase = State.Phase.SEALED;
        return new Accepted();
    }

    private Verdict sweep(Sweep entry) {
        Optional<Ignored> objection = Kept.judge(entry, state());
        if (objection.isPresent()) {
            return objection.get();
        }
        kept = kept.after(entry);
        for (Map.Entry<String, ProducerState> each : producers.entrySet()) {
            producers = producers.plus(each.getKey(), each.getValue().swept(kept));
        }
        return new Accepted();
    }

    /**
     * What speaks against a claim. The order matters: a retry of what is in stays in, even after a
     * seal.
     */
    private Optional<Ignored> judge(Claim claim) {
        ProducerState producer = producers.get(claim.producer());
        if (producer == null || claim.epoch() > producer.epoch()) {
            return objection(Reason.NOT_OPEN, claim + " never opened");
        }
        if (claim.epoch() < producer.epoch()) {
            return objection(
                    Reason.FENCED,
                    "producer "
                            + claim.producer()
                            + " epoch "
                            + claim.epoch()
                            + " was replaced by epoch "
                            + producer.epoch());
        }
        if (claim.sequence() < producer.nextSequence()) {
            return objection(Reason.ALREADY_IN, claim + " is in");
        }
        if (phase == State.Phase.SEALED) {
            return objection(Reason.ENDED, sealedText());
        }
        if (producer.finished()) {
            return objection(Reason.ENDED, "producer " + claim.producer() + " had finished");
        }
        if (claim.sequence() > producer.nextSequence()) {
            return objection(
                    Reason.GAP,
                    claim + " leaves a gap: the next sequence is " + producer.nextSequence());
        }
        return Optional.empty();
    }

    private Optional<Ignored> judge(GlobalBatch batch) {
        if (batch.schemaId() != Dataset.SCHEMA_ID) {
            return objection(Reason.UNFIT, "the dataset has no schema " + batch.schemaId());
        }
        if (batch.slices() != dataset.grid().slices()) {
            return objection(
                    Reason.UNFIT,
                    "the batch has "
                            + batch.slices()
                            + " slices, the grid "
                            + dataset.grid()
                            + " has "
                            + dataset.grid().slices());
        }
        return Optional.empty();
    }

    private String sealedText() {
        return "the dataset was sealed after " + steps.count() + " steps";
    }

    private static Optional<Ignored> objection(Reason reason, String why) {
        return Optional.of(ignored(reason, why));
    }

    private static Ignored ignored(Reason reason, String why) {
        return new Ignored(reason, why);
    }
}
