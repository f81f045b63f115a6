package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Commit;
import io.batchweave.model.Dataset;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Feature;
import io.batchweave.model.Layout;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import io.batchweave.store.Arbiter;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The log of one dataset, and the State of all that this participant has read of it.
 *
 * <p>Versions are read one by one and never skipped. Safe for use by several threads; they take
 * turns.
 */
public final class Log {
    private static final String WRITER = "batchweave/" + version();

    private final ObjectStore store;
    private final Layout layout;
    private final World world;
    private final LogLimits limits;

    private volatile State state;
    private volatile Duration storeAhead = Duration.ZERO;

    /** Whether the last append was not over with one offer; then the next one looks first. */
    private boolean contended;

    private Log(ObjectStore store, Layout layout, World world, LogLimits limits) {
        this.store = store;
        this.layout = layout;
        this.world = world;
        this.limits = limits;
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
        log.state = State.first(log.first(dataset, more)).state();
        if (log.state.dataset().id().equals(dataset.datasetId())) {
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
        // The first look also tells the store's time, which our commit is to name.
        Optional<Commit> winner = beginning();
        if (winner.isEmpty() && store.arbiter() == Arbiter.SERVER) {
            Probe.demandConditions(
                    store, layout.probe(world.newId()), "create dataset " + layout.dataset());
        }
        List<Entry> entries = new ArrayList<>(List.of(dataset));
        entries.addAll(more);
        Commit commit = commit(entries);
        checkWriterFeatures(State.first(commit).state().dataset());
        ByteBuffer body = CommitCodec.encode(commit);
        try {
            while (winner.isEmpty()) {
                offers.awaitNext();
                offers.made(store.create(layout.commit(0), body.duplicate()));
                winner = read(0);
            }
        } catch (UnavailableException e) {
            throw offers.failure(e);
        }
        return winner.get();
    }

    /**
     * Opens a dataset and reads its whole log.
     *
     * @throws InvalidRequestException if it does not exist
     */
    public static Log open(ObjectStore store, DatasetName name, World world, LogLimits limits) {
        Log log = new Log(store, new Layout(name), world, limits);
        Commit first =
                log.beginning()
                        .orElseThrow(
                                () ->
                                        new InvalidRequestException(
                                                "Cannot open dataset "
                                                        + name
                                                        + " in "
                                                        + store.uri()
                                                        + ": there is none; create it, or check the"
                                                        + " name and the warehouse"));
        log.state = State.first(first).state();
        log.catchUp();
        log.checkNothingIsBeyond();
        return log;
    }

    /**
     * The commit of version 0, if there is a log. Where others lie behind it, it is looked for
     * again: all of them may have come since the first look.
     */
    private Optional<Commit> beginning() {
        Optional<Commit> first = read(0);
        return first.isEmpty() && isAnythingBeyond(-1)
                ? Optional.of(read(0).orElseThrow(() -> lost(0)))
                : first;
    }

    /**
     * Makes sure that the end we found is the end: behind a commit that was lost, a writer would
     * begin a second history, and readers would follow it (LOG-2).
     */
    private void checkNothingIsBeyond() {
        long head = state.version();
        if (isAnythingBeyond(head) && catchUp().version() == head) {
            throw lost(head + 1);
        }
    }

    /** Whether there are commits behind the one after {@code head}; foreign names do not count. */
    private boolean isAnythingBeyond(long head) {
        String end = layout.commit(head + 1);
        String folder = end.substring(0, end.lastIndexOf('/'));
        return store.list(layout.commits(), "").folders().stream()
                        .map(name -> layout.commits() + "/" + name)
                        .anyMatch(other -> isVersion(other) && other.compareTo(folder) > 0)
                || store.list(folder, end).objects().stream()
                        .anyMatch(item -> isVersion(item.key()));
    }

    private static boolean isVersion(String key) {
        return key.matches(".*/[0-9]{20}");
    }

    private CorruptException lost(long version) {
        return new CorruptException(
                "Cannot open dataset "
                        + layout.dataset()
                        + " in "
                        + store.uri()
                        + ": "
                        + layout.commit(version)
                        + " is missing, and there are commits behind it; restore it, and write nothing before");
    }

    /** The State as of the last look; costs nothing. */
    public State state() {
        return state;
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

    /** Applies all commits that are there. */
    public synchronized State catchUp() {
        while (readNext().isPresent()) {}
        return state;
    }

    /**
     * Waits until the log has grown; false if it has not by the deadline, or if the thread was
     * interrupted.
     */
    public boolean awaitNews(long afterVersion, Deadline deadline) {
        for (int looks = 0; catchUp(deadline).version() <= afterVersion; looks++) {
            Duration poll = limits.poll(looks);
            Duration left = deadline.remaining();
            if (left.isZero() || Thread.currentThread().isInterrupted()) {
                return false;
            }
            world.pause().pause(poll.compareTo(left) < 0 ? poll : left);
        }
        return true;
    }

    /** Looks at least once, and not for longer: a log may grow as fast as it is read. */
    private synchronized State catchUp(Deadline deadline) {
        while (readNext().isPresent() && deadline.remains()) {}
        return state;
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
        checkWriterFeatures(state.dataset());
        Commit commit = commit(entries);
        ByteBuffer body = CommitCodec.encode(commit);
        Offers offers =
                new Offers(world, limits, "append to the log of " + layout.dataset(), store.uri());
        try {
            if (contended) {
                catchUpUntilIn(commit, offers);
            }
            contended = true;
            while (!isIn(commit, offers)) {
                offers.awaitNext();
                Creation offer = store.create(layout.commit(state.version() + 1), body.duplicate());
                offers.made(offer);
                if (offer instanceof Creation.Done done) {
                    observe(done.at());
                    state = state.apply(commit).state();
                } else {
                    catchUpUntilIn(commit, offers);
                }
            }
            contended = offers.made() > 1;
            return state;
        } catch (UnavailableException e) {
            throw offers.failure(e);
        }
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

    /**
     * Reads on, but stops where the commit is in: what comes later may fence it, and it was in all
     * the same.
     */
    private void catchUpUntilIn(Commit commit, Offers offers) {
        while (!state.apply(commit).repeats() && offers.timeRemains() && readNext().isPresent()) {}
    }

    private boolean isIn(Commit commit, Offers offers) {
        Applied attempt = state.apply(commit);
        if (attempt.loss().isPresent()) {
            // Our State may be behind: what does not fit it may fit the log as it is by now.
            catchUpUntilIn(commit, offers);
            attempt = state.apply(commit);
        }
        if (attempt.loss().isPresent() && offers.timeRemains()) {
            throw refusal(attempt.loss().get());
        }
        return attempt.repeats();
    }

    private BatchWeaveException refusal(Ignored loss) {
        String text =
                "Cannot append to the log of "
                        + layout.dataset()
                        + " in "
                        + store.uri()
                        + " at version "
                        + (state.version() + 1)
                        + ": "
                        + loss.why();
        return loss.reason() == Reason.UNFIT
                ? new InvalidRequestException(text)
                : new FencedException(text);
    }

    /** The commit of a version, if it is there. */
    public Optional<Commit> read(long version) {
        String key = layout.commit(version);
        Fetched fetched = store.read(key, CommitCodec.BYTES_MAX);
        if (fetched instanceof Fetched.Found found) {
            observe(found.at());
            return Optional.of(CommitCodec.decode(found.body(), key + " in " + store.uri()));
        }
        observe(((Fetched.Absent) fetched).at());
        return Optional.empty();
    }

    private Optional<Applied> readNext() {
        Optional<Applied> applied = read(state.version() + 1).map(state::apply);
        applied.ifPresent(news -> state = news.state());
        return applied;
    }

    private Commit commit(List<Entry> entries) {
        Instant now = world.clock().instant().plus(storeAhead).truncatedTo(ChronoUnit.MILLIS);
        return new Commit(world.newId(), now, WRITER, entries);
    }

    /** Learns how far the store's clock is ahead of ours. */
    private void observe(Instant storeTime) {
        storeAhead = Duration.between(world.clock().instant(), storeTime);
    }

    private static String version() {
        String version = Log.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
