package io.batchweave.state;

import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.CreateDataset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A log in the making: applies entries, commit by commit, and keeps what came of them. */
public final class History {
    public static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    private final List<Commit> commits = new ArrayList<>();
    private State state;

    private History(Commit first) {
        commits.add(first);
        state = State.first(first).state();
    }

    /** The history of a dataset of two slices, with these declared producers or none. */
    public static History of(String... producers) {
        return of(Entries.dataset(producers));
    }

    public static History of(CreateDataset dataset) {
        return new History(commit(0, START, dataset));
    }

    public static Commit commit(long number, Instant time, Entry... entries) {
        return new Commit(Entries.id(number), time, "test", List.of(entries));
    }

    public State state() {
        return state;
    }

    public List<Commit> commits() {
        return List.copyOf(commits);
    }

    /** Applies one commit of these entries, a second after the one before. */
    public List<Verdict> apply(Entry... entries) {
        return applyAt(START.plusSeconds(commits.size()), entries);
    }

    public List<Verdict> applyAt(Instant time, Entry... entries) {
        Commit commit = commit(commits.size(), time, entries);
        commits.add(commit);
        Applied applied = state.apply(commit);
        state = applied.state();
        return applied.verdicts();
    }

    /** Opens a producer under an id of its own and returns its epoch. */
    public long open(String producer) {
        apply(Entries.opening(producer, 1_000 + commits.size()));
        return producer(producer).epoch();
    }

    public ProducerState producer(String name) {
        return state.producer(name).orElseThrow();
    }

    /** The State without what every commit changes: what its entries made of it. */
    public static State timeless(State state) {
        return new State(
                state.dataset(),
                0,
                START,
                state.phase(),
                state.receipt(),
                Saving.NONE,
                state.producers(),
                state.steps(),
                state.kept(),
                state.settings(),
                state.jobs(),
                state.skips());
    }
}
