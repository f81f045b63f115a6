package io.batchweave.steps;

import io.batchweave.log.Log;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Layout;
import io.batchweave.model.Provenance;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;

/** Reads what is new in the log, and writes it as rows into files, one for each table. */
final class Gathering {
    private final Log log;
    private final FoldLimits limits;
    private final Replay replay;

    Gathering(Log log, FoldLimits limits, Replay replay) {
        this.log = log;
        this.limits = limits;
        this.replay = replay;
    }

    /**
     * What was written.
     *
     * @param steps the file of steps; none: there was no step
     * @param throughStep the last step of all that are in this file or before it
     * @param events the file of events; none: there was no event
     * @param throughVersion the last version of all whose events are in this file or before it
     */
    record Found(
            Optional<DataFile> steps,
            long throughStep,
            Optional<DataFile> events,
            long throughVersion) {}

    /**
     * Reads on from where each table is, as far as one fold's commit may go.
     *
     * @param head how far the log is read
     * @param step the last step that is there; -1: none
     * @param version the last version whose events are there; -1: none
     */
    Found next(State head, Table steps, long step, Table events, long version) {
        StepRows stepRows = new StepRows(log.layout(), steps.schema());
        EventRows eventRows = new EventRows(events.schema());
        long nextStep = step + 1;
        long at = firstVersion(head, nextStep, version);
        long through = version;
        try (Lazy stepFile = new Lazy(steps, nextStep);
                Lazy eventFile = new Lazy(events, version + 1)) {
            for (; at <= head.version() && !isFull(stepFile, eventFile); at++) {
                Commit commit = replay.read(at);
                if (at == replay.version() + 1 && version < head.version()) {
                    Applied applied = replay.apply(commit);
                    if (at > version) {
                        eventFile.write(eventRows.of(commit, applied));
                        through = at;
                    }
                }
                nextStep = writeSteps(head, nextStep, at, commit, stepRows, stepFile);
            }
            return new Found(stepFile.finish(), nextStep - 1, eventFile.finish(), through);
        }
    }

    private long firstVersion(State head, long nextStep, long version) {
        long ofSteps = nextStep < head.nextStep() ? log.step(nextStep).version() : Long.MAX_VALUE;
        long ofEvents = version < head.version() ? replay.version() + 1 : Long.MAX_VALUE;
        return Math.min(ofSteps, ofEvents);
    }

    private boolean isFull(Lazy... files) {
        long rows = 0;
        long bytes = 0;
        for (Lazy file : files) {
            rows += file.rows();
            bytes += file.bytes();
        }
        return rows >= limits.rows() || bytes >= limits.bytes();
    }

    private long writeSteps(
            State head, long first, long version, Commit commit, StepRows rows, Lazy file) {
        long next = first;
        Map<Claim, Provenance> provenances = new HashMap<>();
        while (next < head.nextStep()) {
            StepRecord step = log.step(next);
            if (step.version() != version) {
                break;
            }
            if (provenances.isEmpty()) {
                provenances.putAll(provenances(commit));
            }
            file.write(
                    List.of(
                            rows.of(
                                    step,
                                    provenances.getOrDefault(step.claim(), Provenance.NONE))));
            next++;
        }
        return next;
    }

    private static Map<Claim, Provenance> provenances(Commit commit) {
        Map<Claim, Provenance> all = new HashMap<>();
        commit.entries().stream()
                .filter(Publish.class::isInstance)
                .map(Publish.class::cast)
                .forEach(entry -> all.putIfAbsent(entry.claim(), entry.batch().provenance()));
        return all;
    }

    /** A file that is begun with its first row. */
    private final class Lazy implements AutoCloseable {
        private final Table table;
        private final long first;
        private Optional<RowFile> file = Optional.empty();
        private boolean isFinished;

        Lazy(Table table, long first) {
            this.table = table;
            this.first = first;
        }

        void write(List<Record> rows) {
            if (!rows.isEmpty() && file.isEmpty()) {
                String name = Layout.padded(first) + "-" + log.world().newId();
                file = Optional.of(new RowFile(table, name));
            }
            rows.forEach(row -> file.orElseThrow().write(row));
        }

        long rows() {
            return file.map(RowFile::rows).orElse(0L);
        }

        long bytes() {
            return file.map(RowFile::bytes).orElse(0L);
        }

        Optional<DataFile> finish() {
            isFinished = true;
            return file.map(RowFile::finish);
        }

        /** What was not finished is nobody's: it is deleted if the store lets us. */
        @Override
        public void close() {
            if (!isFinished) {
                file.ifPresent(RowFile::abandon);
            }
        }
    }
}
