package io.batchweave.log;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.state.Segment;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The steps that States name by their segments only: those that we cut off ourselves and that may
 * not be saved yet, and those that are read from the store. Safe for use by several threads; none
 * waits for what another one reads.
 */
final class OldSteps {
    /** So many segments stay in memory after they were read. */
    private static final int CACHED = 4;

    private final SavedStates saved;

    /** By their first steps. */
    private final NavigableMap<Long, Unsaved> unsaved = new ConcurrentSkipListMap<>();

    private final Map<Long, Segment> cache =
            new LinkedHashMap<>(2 * CACHED, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Segment> eldest) {
                    return size() > CACHED;
                }
            };

    /**
     * @param version of the first State that names it as a segment
     */
    private record Unsaved(Segment segment, long version) {}

    OldSteps(SavedStates saved) {
        this.saved = saved;
    }

    /** Keeps what was cut off a State, until it is known to be saved. */
    void keep(List<Segment> cut, long version) {
        for (Segment segment : cut) {
            unsaved.put(segment.ref().firstStep(), new Unsaved(segment, version));
        }
    }

    /** Those of the segments of a State that may not be saved. */
    Collection<Segment> unsaved(State state) {
        return unsaved.headMap(state.steps().firstRecent()).values().stream()
                .map(Unsaved::segment)
                .toList();
    }

    /** A saved State was taken: all that it names is saved, and what was cut later is not sure. */
    void forgetUnsaved() {
        unsaved.clear();
    }

    /** How many segments may not be saved. */
    int unsavedCount() {
        return unsaved.size();
    }

    /** A State of this version is saved, and so are the segments that it names. */
    void savedUpTo(long version) {
        unsaved.values().removeIf(each -> each.version() <= version);
    }

    /**
     * The record of a step.
     *
     * @param state one that has it
     * @throws io.batchweave.errors.CorruptException if its segment is damaged or lost
     * @throws io.batchweave.errors.UnavailableException if the store does not answer in time
     */
    StepRecord step(State state, long step) {
        return state.steps()
                .segment(step)
                .map(segment -> segment(state, segment).step(step))
                .orElseGet(() -> state.step(step));
    }

    /** Payload bytes of all steps from this one on. */
    long bytesFrom(State state, long step) {
        long bytes = bytesFrom(state.steps().recent(), step);
        for (SegmentRef ref : state.steps().segments()) {
            if (ref.firstStep() >= step) {
                bytes += ref.bytes();
            } else if (ref.lastStep() >= step) {
                bytes += bytesFrom(segment(state, ref).steps(), step);
            }
        }
        return bytes;
    }

    private static long bytesFrom(List<StepRecord> steps, long first) {
        return steps.stream()
                .filter(step -> step.step() >= first)
                .mapToLong(step -> step.batch().bytes())
                .sum();
    }

    /** The step that a claim published, looked for from the newest steps on. */
    Optional<Long> stepOf(State state, Claim claim) {
        Optional<Long> found = state.stepOf(claim);
        List<SegmentRef> segments = state.steps().segments();
        boolean isBefore = true;
        for (int i = segments.size() - 1; found.isEmpty() && isBefore && i >= 0; i--) {
            List<StepRecord> steps = segment(state, segments.get(i)).steps();
            found =
                    steps.stream()
                            .filter(step -> step.claim().equals(claim))
                            .map(StepRecord::step)
                            .findFirst();
            isBefore = steps.get(0).version() > claim.epoch();
        }
        return found;
    }

    private Segment segment(State state, SegmentRef ref) {
        Unsaved kept = unsaved.get(ref.firstStep());
        if (kept != null) {
            return kept.segment();
        }
        Segment known = cached(ref);
        if (known != null) {
            return known;
        }
        Bytes before = state.receiptBefore(ref.firstStep()).orElseThrow();
        return cached(saved.segment(ref, before));
    }

    private Segment cached(SegmentRef ref) {
        synchronized (cache) {
            return cache.get(ref.firstStep());
        }
    }

    private Segment cached(Segment segment) {
        synchronized (cache) {
            cache.put(segment.ref().firstStep(), segment);
        }
        return segment;
    }
}
