package io.batchweave.log;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What one participant has read of the log. Not safe for use by several threads, but for {@link
 * #state}.
 *
 * <p>Commits may be trimmed, and a trimmed version created again by a request that comes late. So
 * what is read and created is tentative at first, and nobody sees it before it is {@link #confirm
 * confirmed}, by one look at what was read in one run.
 */
final class Reading {
    /** After so many commits, States are looked for that lead as far at least. */
    private static final int RUN_MIN = 16;

    private final String name;
    private final Commits commits;
    private final SavedStates saved;
    private final OldSteps old;
    private final Boundaries boundaries;
    private final Surety surety;

    private State reached;
    private volatile State state;

    Reading(ObjectStore store, Layout layout, Commits commits, SavedStates saved, OldSteps old) {
        this.name = layout.dataset() + " in " + store.uri();
        this.commits = commits;
        this.saved = saved;
        this.old = old;
        this.boundaries = new Boundaries(store, layout);
        this.surety = new Surety(boundaries, store.timekeeper());
    }

    /** The State of all that is sure. */
    State state() {
        return state;
    }

    /** The State of all that was read and created; what is above {@link #state} is tentative. */
    State reached() {
        return reached;
    }

    /**
     * Begins with the newest State that somebody saved, or with the first commit; false if there is
     * neither, and no dataset. Where commits are without a first one, all of them may have come
     * since it was looked for, or it may be trimmed since States were looked for (TRIM-9).
     */
    boolean begin() {
        if (load()) {
            return true;
        }
        Optional<Commit> first = commits.read(0);
        boolean areOthers = first.isEmpty() && commits.isAnythingBeyond(-1);
        if (areOthers) {
            first = commits.read(0);
        }
        if (first.isEmpty() && !boundaries.after(-1).isEmpty()) {
            reload();
            return true;
        }
        if (first.isEmpty() && areOthers) {
            throw commits.lost(0);
        }
        first.ifPresent(this::beginWith);
        return first.isPresent();
    }

    /** Begins with a commit of version 0. */
    void beginWith(Commit first) {
        reached = State.first(first).state();
    }

    /**
     * Applies the commits that are there, one at least if there is one, and makes sure of them.
     * What lies before one that cannot be read is seen all the same.
     */
    State catchUp(BooleanSupplier goesOn) {
        boolean isSure = false;
        while (!isSure) {
            isSure = readOn(goesOn) && confirm();
        }
        return state;
    }

    /** False if something could not be read that was no commit that counts. */
    private boolean readOn(BooleanSupplier goesOn) {
        try {
            for (int run = 1; readNext() && goesOn.getAsBoolean(); run++) {
                leap(run);
            }
            return true;
        } catch (BatchWeaveException e) {
            demandReborn(e);
            return false;
        }
    }

    /** If all before it is sure, what cannot be read counts; if not, the newest State was taken. */
    void demandReborn(BatchWeaveException failure) {
        boolean isReborn = false;
        try {
            isReborn = !confirm();
        } catch (BatchWeaveException e) {
            failure.addSuppressed(e);
        }
        if (!isReborn) {
            throw failure;
        }
    }

    /**
     * Goes on from the newest saved State, if that is much further, after a run of commits that
     * were read one by one: whoever slept for an hour need not read what came in it.
     */
    void leap(int run) {
        boolean isTime = run >= RUN_MIN && Integer.bitCount(run) == 1;
        if (isTime) {
            saved.newerThan(reached.version() + RUN_MIN).ifPresent(this::goOnFrom);
        }
    }

    /** Applies the next commit, if it is there. */
    boolean readNext() {
        Optional<Instant> before = commits.latest();
        Optional<Commit> next = commits.read(reached.version() + 1);
        next.map(reached::apply).ifPresentOrElse(this::advance, () -> surety.reachedEnd(before));
        return next.isPresent();
    }

    /**
     * Offers the next commit, and goes on from it if that is done.
     *
     * @param applied the commit, to what was {@link #reached}
     */
    Creation offerNext(Applied applied, ByteBuffer body) {
        Optional<Instant> before = commits.latest();
        Creation offer = commits.offer(reached.version() + 1, body);
        if (offer instanceof Creation.Done) {
            surety.reachedEnd(before);
            advance(applied);
        }
        return offer;
    }

    private void advance(Applied applied) {
        // Before the State is seen that names these segments: who sees it may look for them.
        old.keep(applied.cut(), applied.state().version());
        reached = applied.state();
    }

    /**
     * Makes sure of all that was read and created, and shows it; false if it may have been trimmed,
     * and the newest State was taken instead.
     */
    boolean confirm() {
        boolean isSure = surety.confirm(reached.version(), timeToPassOver());
        if (isSure) {
            state = reached;
        } else {
            reload();
        }
        return isSure;
    }

    /** A sealed dataset may be dropped: nobody passes over a look for that (DROP-3). */
    private Optional<Instant> timeToPassOver() {
        return reached.phase() == State.Phase.SEALED ? Optional.empty() : commits.latest();
    }

    private void reload() {
        boundaries.demandNoTombstone(boundaries.after(-1));
        if (!load()) {
            throw new CorruptException(
                    "Cannot read the log of "
                            + name
                            + ": commits are trimmed, and no State after version "
                            + surety.version()
                            + " is there; restore the newest, and write nothing before");
        }
    }

    private boolean load() {
        Optional<State> newest = saved.newerThan(surety.version());
        newest.ifPresent(this::goOnFrom);
        return newest.isPresent();
    }

    private void goOnFrom(State loaded) {
        old.forgetUnsaved();
        surety.loaded(loaded.version());
        reached = loaded;
        state = loaded;
    }
}
