package io.batchweave.log;

import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Layout;
import io.batchweave.state.History;
import io.batchweave.state.State;
import io.batchweave.store.CountingStore;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Requests;
import io.batchweave.store.Timekeeper;
import io.batchweave.world.Deadline;
import io.batchweave.world.HandClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One store, and two ways to it: ours, on which calls go wrong as a test plans, and that of a rival
 * for whom all goes well.
 */
final class Stage {
    static final DatasetName NAME = DatasetName.parse("train.pretrain");

    /** Trims whatever can go. */
    private static final LogLimits LIMITS = LogLimits.DEFAULT.trimming(1);

    final HandClock clock = new HandClock(History.START);
    final HandClock storeClock = new HandClock(History.START);
    final MemoryStore memory = new MemoryStore(storeClock.world(1));

    private final FaultPlan.Script script = new FaultPlan.Script();
    private final Map<Kind, Deque<Runnable>> before = new EnumMap<>(Kind.class);
    private final Map<Kind, Fault> always = new EnumMap<>(Kind.class);
    private final FaultyStore faulty;
    private final CountingStore ours;
    private final ObjectStore theirs;
    private Requests requestsBefore;
    private long seed = 100;

    Stage() {
        this(Timekeeper.STORE);
    }

    /** A stage with a store that tells its own time, or not. */
    Stage(Timekeeper timekeeper) {
        theirs =
                new ForwardingStore(memory) {
                    @Override
                    public Timekeeper timekeeper() {
                        return timekeeper;
                    }
                };
        faulty = new FaultyStore(theirs, this::faultOf);
        ours = new CountingStore(faulty);
        requestsBefore = ours.requests();
    }

    /** The next calls of a kind come out so. */
    Stage next(Kind kind, Fault... faults) {
        script.next(kind, faults);
        return this;
    }

    /** All calls of a kind come out so, until something else is said. */
    Stage always(Kind kind, Fault fault) {
        always.put(kind, fault);
        return this;
    }

    /** Does something before the next call of a kind reaches the store. */
    Stage before(Kind kind, Runnable action) {
        before.computeIfAbsent(kind, k -> new ArrayDeque<>()).add(action);
        return this;
    }

    /** Drops what was to be done before calls that were never made. */
    void forgetPlans() {
        before.clear();
    }

    private Fault faultOf(Call call) {
        Runnable action = before.getOrDefault(call.kind(), new ArrayDeque<>()).poll();
        if (action != null) {
            action.run();
        }
        Fault fault = script.faultOf(call);
        return fault == Fault.NONE ? always.getOrDefault(call.kind(), Fault.NONE) : fault;
    }

    /** Requests of ours that are still under way arrive. */
    void applyLate() {
        faulty.applyLate();
    }

    /** Our way to the store. */
    ObjectStore store() {
        return ours;
    }

    /** Creates the dataset, of two slices, and opens our log. */
    Log create(String... producers) {
        Log.create(theirs, NAME, Entries.dataset(producers), storeClock.world(2), LIMITS);
        return open();
    }

    /** Opens a log on our way to the store. */
    Log open() {
        Log log = Log.open(ours, NAME, clock.world(seed++), LIMITS);
        forgetRequests();
        return log;
    }

    /** Opens a log on the rival's way. */
    Log rival() {
        return Log.open(theirs, NAME, storeClock.world(seed++), LIMITS);
    }

    /** The rival appends, whatever we know. */
    void rivalAppends(Entry... entries) {
        rival().append(List.of(entries));
    }

    Deadline deadline(Duration limit) {
        return clock.world(0).deadline(limit);
    }

    void forgetRequests() {
        requestsBefore = ours.requests();
    }

    /** What was asked on our way since the log was opened, or since it was last forgotten. */
    long creates() {
        return ours.requests().creates() - requestsBefore.creates();
    }

    long reads() {
        return ours.requests().reads() - requestsBefore.reads();
    }

    long lists() {
        return ours.requests().lists() - requestsBefore.lists();
    }

    String key(long version) {
        return new Layout(NAME).commit(version);
    }

    /** Puts any bytes where a commit belongs. */
    void overwrite(long version, ByteBuffer bytes) {
        memory.delete(List.of(key(version)));
        memory.create(key(version), bytes);
    }

    /** All commits there are, as a reader finds them who starts now. */
    List<Commit> commits() {
        Log reader = rival();
        List<Commit> commits = new ArrayList<>();
        for (long version = 0; ; version++) {
            Optional<Commit> commit = reader.read(version);
            if (commit.isEmpty()) {
                return commits;
            }
            commits.add(commit.get());
        }
    }

    /** What the log says to a reader who starts now. */
    State truth() {
        return rival().state();
    }
}
