package io.batchweave.cli.verify;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.History;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.SliceReader;
import io.batchweave.state.Applied;
import io.batchweave.state.Segment;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.state.Verdict;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;

/** Replays the log of a dataset and reads every object that it names. */
public final class Verifier {
    private final ObjectStore store;
    private final Layout layout;
    private final BufferAllocator allocator;
    private final LongConsumer stepsChecked;
    private final History history;

    private final List<Finding> findings = new ArrayList<>();
    private final List<Segment> oldSteps = new ArrayList<>();
    private long repeats;
    private long slices;
    private long bytes;

    /** What the log means as far as it was read. */
    private State newest;

    private long sweptBelow;

    /**
     * Prepares a check; nothing is read yet.
     *
     * @param stepsChecked told how many steps have been checked, now and then
     */
    public Verifier(
            ObjectStore store,
            DatasetName dataset,
            BufferAllocator allocator,
            LongConsumer stepsChecked) {
        this.store = store;
        this.layout = new Layout(dataset);
        this.allocator = allocator;
        this.stepsChecked = stepsChecked;
        this.history = new History(store, dataset);
    }

    /**
     * Checks everything.
     *
     * @throws InvalidRequestException if there is no such dataset
     * @throws io.batchweave.errors.FencedException if it was dropped
     */
    public Report verify() {
        SavedCheck saved = new SavedCheck(store, layout, findings);
        Map<String, Long> commits = lengths(layout.commits());
        Optional<State> state = replay(saved);
        state.ifPresent(read -> checkVersions(commits, read));
        if (findings.isEmpty()) {
            saved.checkNothingIsLeft();
        }
        boolean logIsWhole = findings.isEmpty();
        sweptBelow = logIsWhole ? 0 : saved.lowStep();
        Map<String, Long> payload = lengths(layout.payload());
        state.ifPresent(read -> checkSteps(read, payload));
        saved.checkBoundary();
        return new Report(
                state.map(read -> read.version() + 1).orElse((long) commits.size()),
                state.map(State::nextStep).orElse(0L),
                state.map(read -> lowStep()).orElse(0L),
                slices,
                bytes,
                repeats,
                logIsWhole ? payload.size() : 0,
                findings);
    }

    /**
     * Applies every commit; a damaged one ends the replay, for nothing after it has a meaning
     * without it.
     */
    private Optional<State> replay(SavedCheck saved) {
        State state = null;
        try {
            for (long version = 0; ; version++) {
                Optional<Commit> commit = history.read(version);
                if (commit.isEmpty()) {
                    break;
                }
                Applied applied =
                        state == null ? State.first(commit.get()) : state.apply(commit.get());
                count(layout.commit(version), applied);
                oldSteps.addAll(applied.cut());
                saved.check(applied);
                state = applied.state();
            }
        } catch (CorruptException e) {
            findings.add(new Finding(history.lastObject(), e.getMessage()));
            return Optional.ofNullable(state);
        }
        if (state == null && lengths(layout.root()).isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot verify "
                            + layout.dataset()
                            + " in "
                            + store.uri()
                            + ": there is no such dataset; check the name and the warehouse");
        }
        if (state == null) {
            findings.add(
                    new Finding(
                            layout.commit(0),
                            "Cannot find "
                                    + name(layout.commit(0))
                                    + ": the dataset's first commit is missing, but there are objects of it"));
        }
        return Optional.ofNullable(state);
    }

    /**
     * Counts what is without effect. Repeats and fenced entries are how the log settles races; but
     * nobody offers a claim that leaves a gap, or one of a producer that never opened, so there a
     * commit is missing or has changed its place.
     */
    private void count(String key, Applied applied) {
        for (Verdict verdict : applied.verdicts()) {
            if (verdict instanceof Ignored ignored) {
                repeats++;
                if (ignored.reason() == Reason.GAP || ignored.reason() == Reason.NOT_OPEN) {
                    findings.add(
                            new Finding(
                                    key,
                                    "Cannot explain "
                                            + name(key)
                                            + ": "
                                            + ignored.why()
                                            + "; a commit before it is missing or out of place"));
                }
            }
        }
    }

    /** Versions are consecutive, and nothing else lies in the log. */
    private void checkVersions(Map<String, Long> commits, State state) {
        NavigableSet<String> unread = new TreeSet<>(commits.keySet());
        for (long version = 0; version <= state.version(); version++) {
            unread.remove(layout.commit(version));
        }
        List<String> later = unread.stream().filter(key -> isCommit(key)).toList();
        later.forEach(unread::remove);
        boolean damaged = !findings.isEmpty();
        if (!later.isEmpty() && !damaged) {
            String missing = layout.commit(state.version() + 1);
            findings.add(
                    new Finding(
                            missing,
                            "Cannot find "
                                    + name(missing)
                                    + ": this commit is missing, but "
                                    + name(later.get(0))
                                    + " is there, so nothing behind it has a meaning"));
        }
        for (String key : unread) {
            findings.add(
                    new Finding(
                            key,
                            "Cannot explain "
                                    + name(key)
                                    + ": it lies in the log, and its name is that of no commit"));
        }
    }

    private boolean isCommit(String key) {
        return Layout.number(key).filter(number -> key.equals(layout.commit(number))).isPresent();
    }

    /** Of steps below the low step nothing is demanded, and so nothing is read. */
    private void checkSteps(State state, Map<String, Long> payload) {
        newest = state;
        SliceReader reader =
                new SliceReader(PayloadSchema.parse(state.dataset().schema()), allocator);
        PartCheck check = new PartCheck(store, reader, allocator);
        Stream<StepRecord> old = oldSteps.stream().flatMap(segment -> segment.steps().stream());
        for (StepRecord step : Stream.concat(old, state.steps().recent().stream()).toList()) {
            List<Part> parts = step.batch().parts();
            for (int i = 0; i < parts.size(); i++) {
                String key = layout.part(step.claim(), i);
                Optional<Long> length = Optional.ofNullable(payload.remove(key));
                if (step.step() >= lowStep()) {
                    checkPart(check, step, key, parts.get(i), length);
                }
            }
            stepsChecked.accept(step.step() + 1);
        }
    }

    private void checkPart(
            PartCheck check, StepRecord step, String key, Part part, Optional<Long> length) {
        try {
            if (length.isPresent() && length.get() != part.length()) {
                throw new CorruptException(
                        "Cannot accept "
                                + name(key)
                                + ": it has "
                                + length.get()
                                + " bytes, the log says "
                                + part.length());
            }
            check.check(key, part);
        } catch (CorruptException e) {
            if (isSwept(step)) {
                return;
            }
            findings.add(new Finding(key, "step " + step.step() + ": " + e.getMessage()));
        }
        slices += part.slices().size();
        bytes += part.length();
    }

    /** Whether a sweep has overtaken us: what is missing may be missing by now. */
    private boolean isSwept(StepRecord step) {
        try {
            Optional<Commit> next = history.read(newest.version() + 1);
            while (next.isPresent()) {
                newest = newest.apply(next.get()).state();
                next = history.read(newest.version() + 1);
            }
        } catch (CorruptException e) {
            // A commit that came after our replay: whoever verifies again finds it.
            return false;
        }
        return step.step() < lowStep();
    }

    /** Where the log cannot be read to its end, the newest saved State tells it. */
    private long lowStep() {
        return Math.max(newest.lowStep(), sweptBelow);
    }

    /** Every object in a folder and the folders below it, with its length. */
    private Map<String, Long> lengths(String folder) {
        Map<String, Long> lengths = new HashMap<>();
        store.listBelow(
                folder, items -> items.forEach(item -> lengths.put(item.key(), item.length())));
        return lengths;
    }

    private String name(String key) {
        return store.nameOf(key);
    }
}
