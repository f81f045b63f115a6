package io.batchweave.steps;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.state.State;
import io.batchweave.steps.Gathering.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;

/** The two tables of a dataset, and what is done to both of them. */
final class View {
    private final Log log;
    private final Catalog catalog;
    private final FoldLimits limits;
    private final Patience patience;
    private final Replay replay;
    private final Gathering gathering;
    private final Opened steps;
    private final Opened events;
    private final KeptState kept = new KeptState();
    private long addedSteps;
    private long addedEvents;

    View(
            Log log,
            Catalog catalog,
            FoldLimits limits,
            Patience patience,
            Replay replay,
            Gathering gathering,
            Opened steps,
            Opened events) {
        this.log = log;
        this.catalog = catalog;
        this.limits = limits;
        this.patience = patience;
        this.replay = replay;
        this.gathering = gathering;
        this.steps = steps;
        this.events = events;
    }

    /** Adds what the log has by now, some rows at a time, and looks after the tables. */
    Folded fold() {
        State head = log.catchUp();
        look();
        while (steps.through() + 1 < head.nextStep() || throughEvents() < head.version()) {
            add(head);
            look();
        }
        return kept(log.catchUp());
    }

    private long throughEvents() {
        return replay.throughQuiet(events.through());
    }

    private void look() {
        for (Opened table : List.of(steps, events)) {
            patience.until(
                    () -> {
                        table.look();
                        return table;
                    });
        }
        demandBehindLog();
    }

    /** Somebody else may have read more of the log, and folded it. */
    private void demandBehindLog() {
        if (isAhead(log.state()) && isAhead(log.catchUp())) {
            throw new InvalidRequestException(
                    ("Cannot fold %s: its view tells of steps up to %d and versions up to %d, and"
                                    + " its log ends at step %d and version %d; make the view anew"
                                    + " by fold --rebuild")
                            .formatted(
                                    log.layout().dataset(),
                                    steps.through(),
                                    events.through(),
                                    log.state().nextStep() - 1,
                                    log.state().version()));
        }
    }

    private boolean isAhead(State state) {
        return steps.through() >= state.nextStep() || events.through() > state.version();
    }

    private void add(State head) {
        long from = throughEvents();
        Found found =
                patience.until(
                        () -> {
                            seek(from, head);
                            return gathering.next(
                                    head, steps.table(), steps.through(), events.table(), from);
                        });
        addedSteps += add(steps, found.steps(), found.throughStep());
        if (found.events().isEmpty()) {
            replay.quiet(from, found.throughVersion());
        }
        boolean isTold =
                found.events().isPresent()
                        || found.throughVersion() - events.through() >= limits.replay();
        addedEvents += isTold ? add(events, found.events(), found.throughVersion()) : 0;
    }

    private void seek(long version, State head) {
        if (version < head.version()) {
            replay.seek(version);
            if (version - replay.version() > limits.replay()) {
                kept.load(events, head, version).ifPresent(replay::remember);
                replay.seek(version);
            }
        }
    }

    private long add(Opened table, Optional<DataFile> file, long through) {
        List<DataFile> files = Stream.ofNullable(file.orElse(null)).toList();
        boolean isNothing = files.isEmpty() && through == table.through();
        boolean isIn = !isNothing && new Addition(table, files, through, log.world()).run(patience);
        return isIn ? rows(files) : 0;
    }

    private Folded kept(State head) {
        int merged = 0;
        for (Opened table : List.of(steps, events)) {
            merged += new Merging(table, limits, patience, log.world()).run();
        }
        int tags = new Tags(steps, patience).run(head);
        int expired = 0;
        for (Opened table : List.of(steps, events)) {
            new DatasetProperties(table, patience).run(head);
            expired += new Expiry(table, patience).run(limits.snapshotsMax());
        }
        replay.floor(events.through())
                .ifPresent(state -> kept.save(events, state, limits.replay()));
        return new Folded(
                addedSteps,
                addedEvents,
                steps.through() + 1,
                throughEvents() + 1,
                merged,
                tags,
                expired);
    }

    int expire() {
        State head = log.catchUp();
        new Tags(steps, patience).run(head);
        return new Expiry(steps, patience).run(0) + new Expiry(events, patience).run(0);
    }

    /** Writes all files first, and then replaces what the tables hold in one commit each. */
    Folded rebuild() {
        State head = log.catchUp();
        Replacement newSteps = new Replacement(ViewTable.STEPS, catalog, log, head);
        Replacement newEvents = new Replacement(ViewTable.EVENTS, catalog, log, head);
        Table stepTable = newSteps.table(patience);
        Table eventTable = newEvents.table(patience);
        List<DataFile> stepFiles = new ArrayList<>();
        List<DataFile> eventFiles = new ArrayList<>();
        long step = -1;
        long version = -1;
        while (step + 1 < head.nextStep() || version < head.version()) {
            Found found = gathered(head, stepTable, step, eventTable, version);
            found.steps().ifPresent(stepFiles::add);
            found.events().ifPresent(eventFiles::add);
            step = found.throughStep();
            version = found.throughVersion();
        }
        newSteps.run(stepFiles, step, patience);
        newEvents.run(eventFiles, version, patience);
        addedSteps = rows(stepFiles);
        addedEvents = rows(eventFiles);
        look();
        return kept(head);
    }

    private Found gathered(State head, Table stepTable, long step, Table eventTable, long version) {
        return patience.until(
                () -> {
                    replay.seek(version);
                    return gathering.next(head, stepTable, step, eventTable, version);
                });
    }

    private static long rows(List<DataFile> files) {
        return files.stream().mapToLong(DataFile::recordCount).sum();
    }
}
