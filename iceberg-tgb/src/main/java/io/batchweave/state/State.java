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
import io.batchweave.model.Names;
import io.batchweave.model.SliceGrid;
import io.batchweave.state.Verdict.Accepted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * The result of applying commits 0 to {@code version} in order. Equal logs give equal States.
 *
 * @param version the last commit that was applied
 * @param time the latest time that any commit named; it never steps back (LOG-10)
 * @param receipt the receipt after the last step
 * @param saving when it is due to be saved
 * @param producers by name
 * @param jobs by name, the detached ones too
 * @param skips what sessions that start now pass over
 */
public record State(
        Dataset dataset,
        long version,
        Instant time,
        Phase phase,
        Bytes receipt,
        Saving saving,
        PSortedMap<String, ProducerState> producers,
        Steps steps,
        Kept kept,
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
                        Saving.NONE,
                        TreePMap.empty(),
                        Steps.NONE,
                        Kept.ALL,
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
        Steps.Cut cut = steps.cut();
        Transition transition = new Transition(this, cut.steps(), version + 1, now);
        List<Entry> entries = commit.entries();
        List<Verdict> verdicts = new ArrayList<>(first);
        for (Entry entry : entries.subList(first.size(), entries.size())) {
            verdicts.add(transition.apply(entry));
        }
        return new Applied(transition.state(), verdicts, cut.segments());
    }

    /**
     * This State, as somebody else saved it.
     *
     * @throws IllegalArgumentException if there can be no such State
     * @throws UnsupportedFeatureException if the dataset needs what this software does not know
     */
    public State checked() {
        checkFeatures(dataset);
        if (version < 0 || saving.due() > version || saving.weight() < 0) {
            throw new IllegalArgumentException(
                    "it is of version " + version + " and due since " + saving.due());
        }
        steps.check(Receipts.first(dataset.id()), receipt);
        kept.check(nextStep());
        producers.keySet().forEach(name -> Names.checkPathPart("producer", name));
        jobs.keySet().forEach(name -> Names.checkPathPart("job", name));
        return this;
    }

    /** Whether this very State is due to be saved. */
    public boolean isDue() {
        return saving.due() == version;
    }

    /** The step that the next accepted batch becomes. */
    public long nextStep() {
        return steps.count();
    }

    /** The first step whose payload is kept. */
    public long lowStep() {
        return kept.lowStep();
    }

    /**
     * The record of a recent step. An old one takes a look into the store.
     *
     * @throws IllegalArgumentException if the step is not recent, or not published
     */
    public StepRecord step(long step) {
        return steps.recent(step)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "Cannot find step "
                                                + step
                                                + ": the State has the records of "
                                                + steps.firstRecent()
                                                + " to "
                                                + (nextStep() - 1)));
    }

    /**
     * The receipt before a step: what a trainer that passed over nothing was given up to it. Of an
     * old step the State may not tell; its segment does.
     */
    public Optional<Bytes> receiptBefore(long step) {
        return step == 0 ? Optional.of(Receipts.first(dataset.id())) : steps.receiptAfter(step - 1);
    }

    /** What is known of a producer that has opened at least once. */
    public Optional<ProducerState> producer(String name) {
        return Optional.ofNullable(producers.get(name));
    }

    /** What is known of a job that attached at least once. */
    public Optional<JobState> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    /** The step that a claim published, if it is a recent one. */
    public Optional<Long> stepOf(Claim claim) {
        for (int i = steps.recent().size() - 1; i >= 0; i--) {
            StepRecord candidate = steps.recent().get(i);
            if (candidate.claim().equals(claim)) {
                return Optional.of(candidate.step());
            }
            if (candidate.version() < claim.epoch()) {
                break;
            }
        }
        return Optional.empty();
    }

    /** Names of the jobs that are attached. */
    public List<String> attachedJobs() {
        return jobs.entrySet().stream()
                .filter(job -> job.getValue().isAttached())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Producers that are declared or open and have not finished. */
    public List<String> unfinished() {
        Set<String> names = new LinkedHashSet<>(dataset.producers());
        names.addAll(producers.keySet());
        names.removeIf(name -> producer(name).map(ProducerState::finished).orElse(false));
        return List.copyOf(names);
    }
}
