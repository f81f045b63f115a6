package io.batchweave.fuzz;

import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.JobEntries;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.state.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Any bytes as a history of producers, a job and sweeps: the first says which producers are
 * declared, every four after it are an entry or the end of a commit. Whatever a log holds, what the
 * State makes of it keeps the promises of the format.
 */
public final class HistoryTarget {
    private static final List<String> PRODUCERS = List.of("a", "b", "c");
    private static final int ENTRY_BYTES = 4;
    private static final int ENTRIES_MAX = 8;

    private final Map<String, Long> epochs = new HashMap<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final List<Claim> published = new ArrayList<>();
    private State state;

    private HistoryTarget(List<String> declared) {
        state =
                State.first(commit(0, List.of(Entries.dataset(declared.toArray(String[]::new)))))
                        .state();
    }

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        int declared = data.length == 0 ? 0 : data[0];
        HistoryTarget history =
                new HistoryTarget(
                        PRODUCERS.stream()
                                .filter(name -> (declared >> PRODUCERS.indexOf(name) & 1) == 1)
                                .toList());
        List<Entry> entries = new ArrayList<>();
        for (int at = 1; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES) {
            boolean ends = data[at] % 8 == 7;
            if (!ends) {
                entries.add(
                        entry(data[at] & 7, data[at + 1], data[at + 2] & 31, data[at + 3] & 15));
            }
            if ((ends || entries.size() == ENTRIES_MAX) && !entries.isEmpty()) {
                history.apply(entries, data[at + 1]);
                entries = new ArrayList<>();
            }
        }
    }

    private static Entry entry(int kind, byte who, int epoch, int sequence) {
        String producer = PRODUCERS.get((who & 0xff) % PRODUCERS.size());
        return switch (kind) {
            case 0 -> Entries.opening(producer, sequence);
            case 1 -> Entries.finish(producer, epoch, sequence);
            case 2 -> sequence == 0 ? Entries.seal() : Entries.sealIfAllFinished();
            case 3 -> Entries.dataset("a");
            case 4 -> Entries.publish(producer, epoch, sequence);
            case 5 -> job(sequence, epoch);
            default -> new Sweep(Math.max(epoch, sequence), Math.min(epoch, sequence));
        };
    }

    /** What the one job says of a step. */
    private static Entry job(int kind, int step) {
        return switch (kind % 5) {
            case 0 -> JobEntries.attach(1, step, 2);
            case 1 -> JobEntries.checkpoint("", step);
            case 2 -> JobEntries.rollback("", "back" + step, step);
            case 3 -> JobEntries.detach(1);
            default -> JobEntries.attach(2, step, 2);
        };
    }

    private static Commit commit(long seconds, List<Entry> entries) {
        return new Commit(Entries.id(1), Instant.EPOCH.plusSeconds(seconds), "fuzz", entries);
    }

    private void apply(List<Entry> entries, byte seconds) {
        Commit commit = commit(seconds & 0xff, entries);
        Applied applied = state.apply(commit);
        Told.that(!applied.state().time().isBefore(state.time()), "time steps back");
        List<Entry> effective = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (!(applied.verdicts().get(i) instanceof Verdict.Ignored)) {
                effective.add(entries.get(i));
                took(entries.get(i), applied.state().version());
            }
        }
        applyAlone(effective, seconds, applied.state());
        KeptPayload.check(state, applied.state());
        state = applied.state();
        Told.that(
                state.steps().recent().stream().map(StepRecord::claim).toList().equals(published),
                "the steps are not what was published: " + state.steps());
    }

    /**
     * Entries without effect are as if they had never been written; those with one have it once.
     */
    private void applyAlone(List<Entry> effective, byte seconds, State expected) {
        if (!effective.isEmpty()) {
            Commit commit = commit(seconds & 0xff, effective);
            Told.that(
                    state.apply(commit).state().equals(expected),
                    "an entry without effect has one, beside " + effective);
            Told.that(
                    expected.apply(commit).state().nextStep() == expected.nextStep(),
                    "a commit that comes twice publishes twice: " + effective);
        }
    }

    private void took(Entry entry, long version) {
        if (entry instanceof OpenProducer opening) {
            Long before = epochs.put(opening.producer(), version);
            Told.that(before == null || before < version, "an epoch that does not grow");
        } else if (entry instanceof Publish publish) {
            took(publish.claim());
            published.add(publish.claim());
        } else if (entry instanceof Finish finish) {
            took(finish.claim());
        }
    }

    private void took(Claim claim) {
        long expected = sequences.getOrDefault(claim.producer(), 0L);
        Told.that(claim.sequence() == expected, claim + " is not the next one");
        Told.that(epochs.get(claim.producer()) == claim.epoch(), claim + " is of another epoch");
        sequences.put(claim.producer(), expected + 1);
    }
}
