package io.batchweave.state;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Dataset;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Feature;
import io.batchweave.model.SliceGrid;
import io.batchweave.state.Verdict.Accepted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PSortedMap;
import org.pcollections.PVector;
import org.pcollections.TreePMap;
import org.pcollections.TreePVector;

/**
 * The result of applying commits 0 to {@code version} in order. Equal logs give equal States.
 *
 * @param version the last commit that was applied
 * @param time the latest time that any commit named; it never steps back (LOG-10)
 * @param receipt the receipt after the last step
 * @param producers by name
 * @param steps all published steps, in order
 * @param jobs by name, the detached ones too
 * @param skips what sessions that start now pass over
 */
public record State(
        Dataset dataset,
        long version,
        Instant time,
        Phase phase,
        Bytes receipt,
        PSortedMap<String, ProducerState> producers,
        PVector<StepRecord> steps,
        Settings settings,
        PSortedMap<String, JobState> jobs,
        Skips skips) {

    /** Whether steps may still follow. */
    public enum Phase {
        OPEN,
        SEALED
    }

    /**
     * The State after version 0.
     *
     * @throws CorruptException if the commit creates no dataset
     * @throws UnsupportedFeatureException if the dataset needs what this software does not know
     */
    public static Applied first(Commit commit) {
        if (!(commit.entries().get(0) instanceof CreateDataset created)) {
            throw new CorruptException(
                    "Cannot apply commit " + commit.id() + " as version 0: it creates no dataset");
        }
        Dataset dataset =
                new Dataset(
                        created.datasetId(),
                        created.schema(),
                        new SliceGrid(created.grid()),
                        created.producers(),
                        created.features());
        checkFeatures(dataset);
        State before =
                new State(
                        dataset,
                        -1,
                        Instant.EPOCH,
                        Phase.OPEN,
                        Receipts.first(dataset.id()),
                        TreePMap.empty(),
                        TreePVector.empty(),
                        Settings.DEFAULT,
                        TreePMap.empty(),
                        Skips.NONE);
        return before.apply(commit, List.of(new Accepted()));
    }

    /** LOG-9: what everyone must know is checked here; what writers must know, when one appends. */
    private static void checkFeatures(Dataset dataset) {
        for (Feature feature : dataset.features()) {
            if (feature.requiredOf() == Feature.RequiredOf.EVERYONE) {
                throw new UnsupportedFeatureException(
                        "Cannot read the dataset: it requires the feature '"
                                + feature.name()
                                + "', which this version of BatchWeave does not know; upgrade BatchWeave");
            }
        }
    }

    /** The State after one more commit: no IO, no clock, no chance (LOG-4). */
    public Applied apply(Commit commit) {
        return apply(commit, List.of());
    }

    /** Goes on behind the entries that have their verdicts already. */
    private Applied apply(Commit commit, List<Verdict> first) {
        Instant now = commit.time().isAfter(time) ? commit.time() : time;
        Transition transition = new Transition(this, version + 1, now);
        List<Entry> entries = commit.entries();
        List<Verdict> verdicts = new ArrayList<>(first);
        for (Entry entry : entries.subList(first.size(), entries.size())) {
            verdicts.add(transition.apply(entry));
        }
        return new Applied(transition.state(), verdicts);
    }

    /** The step that the next accepted batch becomes. */
    public long nextStep() {
        return steps.size();
    }

    /** The record of a published step. */
    public StepRecord step(long step) {
        return steps.get(Math.toIntExact(step));
    }

    /** The receipt before a step: what a trainer that passed over nothing was given up to it. */
    public Bytes receiptBefore(long step) {
        return step == 0 ? Receipts.first(dataset.id()) : step(step - 1).receipt();
    }

    /** What is known of a producer that has opened at least once. */
    public Optional<ProducerState> producer(String name) {
        return Optional.ofNullable(producers.get(name));
    }

    /** What is known of a job that attached at least once. */
    public Optional<JobState> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    /** The step that a claim published; only the newest steps are looked through. */
    public Optional<Long> stepOf(Claim claim) {
        for (int i = steps.size() - 1; i >= 0; i--) {
            StepRecord candidate = steps.get(i);
            if (candidate.claim().equals(claim)) {
                return Optional.of(candidate.step());
            }
            if (candidate.version() < claim.epoch()) {
                break;
            }
        }
        return Optional.empty();
    }

    /** Producers that are declared or open and have not finished. */
    public List<String> unfinished() {
        Set<String> names = new LinkedHashSet<>(dataset.producers());
        names.addAll(producers.keySet());
        names.removeIf(name -> producer(name).map(ProducerState::finished).orElse(false));
        return List.copyOf(names);
    }
}
