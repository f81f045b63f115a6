package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Dataset;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Feature;
import io.batchweave.model.Layout;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Arbiter;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one dataset, and the State of all that this participant has read of it.
 *
 * <p>Versions are read one by one, from a State that somebody saved on. Safe for use by several
 * threads; they take turns.
 */
public final class Log {
    private static final Logger LOG = LoggerFactory.getLogger(Log.class);

    /** So many segments are held in memory before it is looked whether others saved them. */
    private static final int UNSAVED_MAX = 4;

    /** So many commits are quickly read. */
    private static final int FEW = 2;

    private final ObjectStore store;
    private final Layout layout;
    private final World world;
    private final LogLimits limits;

    private final Commits commits;
    private final SavedStates saved;
    private final OldSteps old;

    private final Reading reading;
    private final Looks looks;
    private final History history;
    private final Trim trim;

    /** A State that is ours to save, or null. */
    private final AtomicReference<State> due = new AtomicReference<>();

    /** Whether the last append was not over with one offer; then the next one looks first. */
    private boolean contended;

    private Log(ObjectStore store, Layout layout, World world, LogLimits limits) {
        this.store = store;
        this.layout = layout;
        this.world = world;
        this.limits = limits;
        this.commits = new Commits(store, layout, world);
        this.saved = new SavedStates(store, layout);
        this.old = new OldSteps(saved);
        this.reading = new Reading(store, layout, commits, saved, old);
        this.looks = new Looks(reading, world, limits, this);
        this.history = new History(store, layout.dataset());
        this.trim = new Trim(store, layout);
    }

    /**
     * Creates a dataset.
     *
     * @throws InvalidRequestException if it exists, or the store does not honour conditions
     * @throws UnavailableException if the store does not answer; nothing was created
     * @throws CommitUnknownException if time is up; run the same again
     */
    public static Log create(
            ObjectStore store,
            DatasetName name,
            CreateDataset dataset,
            World world,
            LogLimits limits) {
        return create(store, name, dataset, List.of(), world, limits);
    }

    /** Creates a dataset in one commit with further entries, such as its settings. */
    public static Log create(
            ObjectStore store,
            DatasetName name,
            CreateDataset dataset,
            List<Entry> more,
            World world,
            LogLimits limits) {
        Log log = new Log(store, new Layout(name), world, limits);
        if (!log.reading.begin()) {
            log.reading.beginWith(log.first(dataset, more));
        }
        if (log.reading.confirm() && log.state().dataset().id().equals(dataset.datasetId())) {
            return log;
        }
        throw new InvalidRequestException(
                "Cannot create dataset "
                        + name
                        + " in "
                        + store.uri()
                        + ": it exists; choose another name or use the one that is there");
    }

    /** The commit of version 0, after offering one that creates this dataset until one is there. */
    private Commit first(CreateDataset dataset, List<Entry> more) {
        Offers offers =
                new Offers(world, limits, "create dataset " + layout.dataset(), store.uri());
        if (store.arbiter() == Arbiter.SERVER) {
            Probe.demandConditions(
                    store, layout.probe(world.newId()), "create dataset " + layout.dataset());
        }
        List<Entry> entries = new ArrayList<>(List.of(dataset));
        entries.addAll(more);
        // The first look has told the store's time, which our commit is to name.
        Commit commit = commits.commit(entries);
        checkWriterFeatures(State.first(commit).state().dataset());
        ByteBuffer body = CommitCodec.encode(commit);
        Optional<Commit> winner = Optional.empty();
        try {
            while (winner.isEmpty()) {
                offers.awaitNext();
                offers.made(commits.offer(0, body));
                winner = commits.read(0);
            }
        } catch (UnavailableException e) {
            throw offers.failure(e);
        }
        return winner.get();
    }

    /**
     * Opens a dataset: takes the newest State that somebody saved, and reads the log from there on.
     *
     * @throws InvalidRequestException if it does not exist
     */
    public static Log open(ObjectStore store, DatasetName name, World world, LogLimits limits) {
        Log log = new Log(store, new Layout(name), world, limits);
        if (!log.reading.begin()) {
            throw new InvalidRequestException(
                    "Cannot open dataset "
                            + log.layout.dataset()
                            + " in "
                            + store.uri()
                            + ": there is none; create it, or check the name and the warehouse");
        }
        log.catchUp();
        log.checkNothingIsBeyond();
        return log;
    }

    /**
     * Makes sure that the end we found is the end: behind a commit that was lost, a writer would
     * begin a second history, and readers would follow it (LOG-2).
     */
    private void checkNothingIsBeyond() {
        long head = state().version();
        if (commits.isAnythingBeyond(head) && catchUp().version() == head) {
            throw commits.lost(head + 1);
        }
    }

    /** The State as of the last look; costs nothing. */
    public State state() {
        return reading.state();
    }

    public ObjectStore store() {
        return store;
    }

    public Layout layout() {
        return layout;
    }

    public World world() {
        return world;
    }

    /** The store's time, as far as its answers have told it. */
    public Instant storeTime() {
        return commits.now();
    }

    /** Applies all commits that are there. */
    public State catchUp() {
        return looks.look();
    }

    /**
     * The record of a published step.
     *
     * @throws CorruptException if it is an old one, and its segment is damaged or lost
     * @throws UnavailableException if it is an old one, and the store does not answer in time
     */
    public StepRecord step(long step) {
        return old.step(state(), step);
    }

    /**
     * The receipt before a step, which is published or the next one. Fails like {@link #step}, but
     * hardly ever takes a look into the store.
     */
    public Bytes receiptBefore(long step) {
        return state().receiptBefore(step).orElseGet(() -> step(step - 1).receipt());
    }

    /** Payload bytes of all steps from this one on. Fails like {@link #step}. */
    public long bytesFrom(long step) {
        return old.bytesFrom(state(), step);
    }

    /** The step that a claim published; old ones take a look into the store. */
    public Optional<Long> stepOf(Claim claim) {
        return old.stepOf(state(), claim);
    }

    /**
     * Saves the State if that is for us to do: an append of ours made it due, or we hold many old
     * steps in memory that nobody has saved. It takes a few requests, so whoever appends calls it
     * when nobody waits. If it fails, somebody else does it, or we do later.
     */
    public void saveIfDue() {
        State mine = due.getAndSet(null);
        if (mine != null || old.unsavedCount() > UNSAVED_MAX) {
            save(mine == null ? state() : mine);
        }
    }

    /**
     * Saves the State at the end of some work, where it would take a newcomer more than a look or
     * two to read what came since the last one.
     */
    public void saveAtEnd() {
        State state = state();
        if (state.saving().due() >= 0 && state.version() - state.saving().due() > FEW) {
            save(state);
        }
    }

    private void save(State mine) {
        try {
            saved(mine);
        } catch (UnavailableException | InvalidRequestException e) {
            // Or the store was closed meanwhile by who had published all.
            LOG.debug("The State of {} is not saved for now", layout.dataset(), e);
        } catch (BatchWeaveException e) {
            LOG.warn("The State of {} cannot be saved: {}", layout.dataset(), e.getMessage());
        }
    }

    /** Saves a State, and says up to which version it is saved now. */
    private long saved(State mine) {
        long version = saved.save(mine, old.unsaved(mine));
        old.savedUpTo(version);
        return version;
    }

    /**
     * Waits until the log has grown; false if it has not by the deadline, or if the thread was
     * interrupted.
     */
    public boolean awaitNews(long afterVersion, Deadline deadline) {
        return looks.awaitNews(afterVersion, deadline);
    }

    /**
     * Appends entries as one commit, offering it at later and later versions until the log holds it
     * or time is up.
     *
     * <p>There is no branch for time-outs, for a version that is taken or for "was it me": the loop
     * looks, and the State answers (LOG-3). Of three ways in which an offer comes out badly none
     * needs a case of its own:
     *
     * <ol>
     *   <li>Another writer took the version: we apply its commit and offer at the next one.
     *   <li>Our answer was lost, or our own earlier attempt took the version: we read and apply our
     *       own commit, and find that the State has it.
     *   <li>Our offer is still on its way: the version is absent, and we offer the same bytes there
     *       again. Whichever arrives second is refused.
     * </ol>
     *
     * @return the State at the first version at which all entries are in, or a later one if they
     *     were in before
     * @throws FencedException if an entry can never take effect
     * @throws InvalidRequestException if an entry does not fit the dataset
     * @throws UnavailableException if the store does not answer; nothing was offered
     * @throws CommitUnknownException if time is up, or the store fails after an offer; offer the
     *     same entries again, and delete nothing
     */
    public synchronized State append(List<Entry> entries) {
        checkWriterFeatures(state().dataset());
        Append append =
                new Append(
                        reading,
                        commits.commit(entries),
                        new Offers(
                                world,
                                limits,
                                "append to the log of " + layout.dataset(),
                                store.uri()));
        boolean lookFirst = contended;
        contended = true;
        State state = append.run(lookFirst);
        contended = append.isContended();
        if (state.isDue()) {
            due.set(state);
        }
        return state;
    }

    /** What everyone must know was checked when the State was made; we know of no feature yet. */
    private void checkWriterFeatures(Dataset dataset) {
        for (Feature feature : dataset.features()) {
            throw new UnsupportedFeatureException(
                    "Cannot write to dataset "
                            + layout.dataset()
                            + " in "
                            + store.uri()
                            + ": writers must know the feature '"
                            + feature.name()
                            + "', which this version of BatchWeave does not; upgrade BatchWeave");
        }
    }

    /** The commit of a version, if there is one yet; also if it is trimmed. */
    public Optional<Commit> read(long version) {
        synchronized (history) {
            return history.read(version);
        }
    }

    /**
     * Trims the log: deletes commits that nobody will apply any more, after a State behind them is
     * saved, and they are packed. If it fails, nothing is lost, and somebody may try again.
     *
     * @throws UnavailableException if the store does not answer, or does not confirm
     * @throws CorruptException if a commit that is to be packed is damaged or lost
     */
    public Trimmed trim() {
        State sure = catchUp();
        Instant now = commits.latest().orElseThrow();
        trim.due(sure, now, limits.trim())
                .filter(boundary -> saved(sure) >= boundary.version())
                .ifPresent(trim::announce);
        return trim.delete(trim.ripe(now));
    }

    /** What {@link #trim} would delete. */
    public Trimmed trimmable() {
        State sure = catchUp();
        Instant now = commits.latest().orElseThrow();
        long due =
                trim.due(sure, now, limits.trim())
                        .filter(boundary -> trim.isRipe(boundary, now))
                        .map(Boundary::version)
                        .orElse(-1L);
        return trim.found(Math.max(due, trim.ripe(now)));
    }
}
