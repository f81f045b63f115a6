package io.batchweave.sim;

import io.batchweave.log.History;
import io.batchweave.log.Log;
import io.batchweave.model.Layout;
import io.batchweave.retain.Sweep;
import io.batchweave.world.HandClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When nobody does anything any more, sweeps leave exactly what can be needed. */
final class Quiescence {
    private static final Duration LONG = Duration.ofHours(2);

    private final Onlooker store;
    private final Layout layout;
    private final HandClock clock;

    Quiescence(Onlooker store, Layout layout, HandClock clock) {
        this.store = store;
        this.layout = layout;
        this.clock = clock;
    }

    void check() {
        sweep();
        clock.move(LONG);
        Log log = sweep();
        Violation.unless(
                new Sweep(log, objects -> {}).plan().isNothing(),
                () -> "after a sweep there is something to sweep");
        checkPayload();
        checkCommits(log.state().version());
    }

    private Log sweep() {
        Log log = Log.open(store, layout.dataset(), clock.world(3), Life.LIMITS);
        new Sweep(log, objects -> {}).run();
        return log;
    }

    private void checkPayload() {
        Deletions deletions = new Deletions(store, layout);
        for (String key : keys(layout.payload())) {
            Violation.unless(
                    !deletions.isUseless(layout.claim(key).orElseThrow()),
                    () -> "%s is left, and nothing needs it".formatted(key));
        }
    }

    /** The log begins behind the last whole pack, and the history is what it ever was. */
    private void checkCommits(long head) {
        long first = (head + 1) / Layout.PACKED * Layout.PACKED;
        Violation.unless(
                keys(layout.commits())
                        .equals(
                                store.versions().stream()
                                        .filter(version -> version >= first)
                                        .map(layout::commit)
                                        .toList()),
                () -> "the log holds %s".formatted(keys(layout.commits())));
        History history = new History(store, layout.dataset());
        for (long version = 0; version <= head; version++) {
            long read = version;
            Violation.unless(
                    history.read(version).equals(store.commit(version)),
                    () -> "the history tells another commit %d".formatted(read));
        }
    }

    private List<String> keys(String folder) {
        List<String> keys = new ArrayList<>();
        store.list(folder, "").objects().forEach(item -> keys.add(item.key()));
        store.list(folder, "").folders().forEach(below -> keys.addAll(keys(folder + "/" + below)));
        return keys;
    }
}
