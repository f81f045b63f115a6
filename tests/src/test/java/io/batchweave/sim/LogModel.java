package io.batchweave.sim;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.SliceGrid;
import io.batchweave.sim.Meaning.Known;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A second opinion on what a log means: the chapter "State and apply" of the format, by the letter,
 * in nobody else's code. What participants were told is held against it.
 */
final class LogModel {
    private final List<Step> steps = new ArrayList<>();
    private final List<Meaning> meanings = new ArrayList<>();
    private final Map<String, Known> producers = new TreeMap<>();
    private final JobModel jobs = new JobModel();
    private CreateDataset dataset;
    private Bytes receipt = Bytes.EMPTY;
    private boolean sealed;
    private long lowStep;
    private long sweptStep;

    /** A batch that counts. */
    record Step(long version, Claim claim, Bytes progress, GlobalBatch batch, Bytes receipt) {}

    private LogModel() {}

    /** Reads the log as it is now, with what was deleted of it. */
    static LogModel of(Onlooker onlooker) {
        LogModel model = new LogModel();
        List<Long> versions = onlooker.versions();
        for (int i = 0; i < versions.size(); i++) {
            Violation.unless(
                    versions.get(i) == i, () -> "the log has a hole: %s".formatted(versions));
            model.apply(i, onlooker.commit(i).orElseThrow());
        }
        return model;
    }

    /** The steps, in order. */
    List<Step> steps() {
        return steps;
    }

    boolean isSealed() {
        return sealed;
    }

    /** What the log means after a version; empty if there is no such commit. */
    Optional<Meaning> after(long version) {
        return version < meanings.size()
                ? Optional.of(meanings.get((int) version))
                : Optional.empty();
    }

    Optional<Known> producer(String name) {
        return Optional.ofNullable(producers.get(name));
    }

    JobModel jobs() {
        return jobs;
    }

    /** The chain's receipt before a step. */
    Bytes receiptBefore(long step) {
        return step == 0
                ? sha256("batchweave receipt " + dataset.datasetId())
                : steps.get((int) step - 1).receipt();
    }

    private void apply(long version, Commit commit) {
        Set<String> openedHere = new HashSet<>();
        for (Entry entry : commit.entries()) {
            if (entry instanceof CreateDataset created && version == 0 && dataset == null) {
                dataset = created;
                receipt = sha256("batchweave receipt " + created.datasetId());
            } else if (entry instanceof OpenProducer opening) {
                open(version, opening, openedHere);
            } else if (entry instanceof Publish publish && counts(publish.claim())) {
                publish(version, publish);
            } else if (entry instanceof Finish finish && counts(finish.claim())) {
                advance(finish.claim(), finish.progress(), true);
                sealed = !dataset.producers().isEmpty() && allFinished();
            } else if (entry instanceof Seal seal) {
                sealed |= seal.condition() == SealCondition.NONE || allFinished();
            } else if (entry instanceof Sweep sweep) {
                sweep(sweep);
            } else {
                jobs.apply(version, entry, steps.size(), lowStep);
            }
        }
        Violation.unless(
                lowStep <= jobs.neededFrom(steps.size()),
                () -> "the low step %d has passed what is pinned".formatted(lowStep));
        meanings.add(
                new Meaning(
                        version,
                        dataset.datasetId(),
                        steps.size(),
                        receipt,
                        sealed,
                        producers,
                        jobs.known(),
                        jobs.bounds(),
                        jobs.skipped(),
                        lowStep,
                        sweptStep));
    }

    private void sweep(Sweep entry) {
        boolean isFurther =
                entry.lowStep() > lowStep
                        || (entry.lowStep() == lowStep && entry.sweptStep() > sweptStep);
        boolean isNeeded =
                entry.lowStep() > lowStep && entry.lowStep() > jobs.neededFrom(steps.size());
        if (isFurther && !isNeeded && entry.sweptStep() <= lowStep) {
            lowStep = entry.lowStep();
            sweptStep = Math.max(sweptStep, entry.sweptStep());
        }
    }

    /** The first step of which there must be payload. */
    long lowStep() {
        return lowStep;
    }

    private void open(long version, OpenProducer opening, Set<String> openedHere) {
        String name = opening.producer();
        Known known = producers.get(name);
        boolean isIn = known != null && known.openingId().equals(opening.openingId());
        boolean admitted = dataset.producers().isEmpty() || dataset.producers().contains(name);
        if (!isIn && !sealed && admitted && openedHere.add(name)) {
            long next = known == null ? 0 : known.next();
            Bytes progress = known == null ? Bytes.EMPTY : known.progress();
            producers.put(name, new Known(version, opening.openingId(), next, false, progress));
        }
    }

    private boolean counts(Claim claim) {
        Known known = producers.get(claim.producer());
        return known != null
                && claim.epoch() == known.epoch()
                && claim.sequence() == known.next()
                && !sealed
                && !known.finished();
    }

    private void publish(long version, Publish entry) {
        GlobalBatch batch = entry.batch();
        if (batch.schemaId() != 0 || batch.slices() != new SliceGrid(dataset.grid()).slices()) {
            return;
        }
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(receipt.toArray());
        sha256.update(ByteBuffer.allocate(8).putLong(steps.size()).array());
        for (Part part : batch.parts()) {
            sha256.update(part.digest().toArray());
            sha256.update(ByteBuffer.allocate(4).putInt(part.slices().size()).array());
        }
        receipt = Bytes.digestOf(sha256);
        steps.add(new Step(version, entry.claim(), entry.progress(), batch, receipt));
        advance(entry.claim(), entry.progress(), false);
    }

    private void advance(Claim claim, Bytes progress, boolean finished) {
        Known known = producers.get(claim.producer());
        producers.put(
                claim.producer(),
                new Known(known.epoch(), known.openingId(), known.next() + 1, finished, progress));
    }

    private boolean allFinished() {
        return producers.keySet().containsAll(dataset.producers())
                && producers.values().stream().allMatch(Known::finished);
    }

    private static Bytes sha256(String text) {
        MessageDigest sha256 = Bytes.sha256();
        sha256.update(text.getBytes(StandardCharsets.US_ASCII));
        return Bytes.digestOf(sha256);
    }
}
