package io.batchweave.steps;

import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.SliceGrid;
import io.batchweave.model.StepRange;
import io.batchweave.state.Applied;
import io.batchweave.state.JobState;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import io.batchweave.state.Verdict;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Published;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;

/** What commits say, but for steps, as rows of a table, whatever ids its fields have there. */
final class EventRows {
    private final GenericRecord row;

    EventRows(Schema table) {
        this.row = GenericRecord.create(table);
    }

    /** The rows of a commit. */
    List<Record> of(Commit commit, Applied applied) {
        List<Record> rows = new ArrayList<>();
        for (int index = 0; index < commit.entries().size(); index++) {
            Verdict verdict = applied.verdicts().get(index);
            if (!(verdict instanceof Published)) {
                GenericRecord made = row.copy();
                made.setField(EventColumns.VERSION, applied.state().version());
                made.setField(EventColumns.ENTRY, index);
                made.setField(EventColumns.AT, applied.state().time().atOffset(ZoneOffset.UTC));
                made.setField(EventColumns.EFFECTIVE, !(verdict instanceof Ignored));
                made.setField(
                        EventColumns.WHY,
                        verdict instanceof Ignored ignored ? ignored.why() : null);
                made.setField(EventColumns.WRITER, commit.writer());
                made.setField(EventColumns.COMMIT_ID, commit.id());
                made.setField(EventColumns.SETTINGS, Map.of());
                tell(commit.entries().get(index), applied.state(), made);
                rows.add(made);
            }
        }
        return rows;
    }

    private static void tell(Entry entry, State after, GenericRecord row) {
        if (entry instanceof Publish publish) {
            claim("published", publish.claim(), row);
        } else if (entry instanceof Finish finish) {
            claim("finished", finish.claim(), row);
        } else if (entry instanceof OpenProducer opening) {
            row.setField(EventColumns.KIND, "opened");
            row.setField(EventColumns.PRODUCER, opening.producer());
            row.setField(EventColumns.EPOCH, after.version());
        } else if (entry instanceof CreateDataset created) {
            row.setField(EventColumns.KIND, "created");
            row.setField(
                    EventColumns.SETTINGS,
                    Map.of(
                            "dataset-id", created.datasetId(),
                            "grid", new SliceGrid(created.grid()).toString(),
                            "producers", String.join(",", created.producers())));
        } else if (entry instanceof Seal) {
            row.setField(EventColumns.KIND, "sealed");
            row.setField(EventColumns.STEP, after.nextStep());
        } else if (entry instanceof AttachJob attaching) {
            row.setField(EventColumns.KIND, "attached");
            row.setField(EventColumns.JOB, attaching.job());
            row.setField(EventColumns.STEP, attaching.fromStep());
            row.setField(EventColumns.KEEP, attaching.keep());
        } else if (entry instanceof Entry.OfJob said) {
            row.setField(EventColumns.JOB, said.job());
            tellOfJob(said, after, row);
        } else {
            tellOfOperator(entry, row);
        }
    }

    private static void claim(String kind, Claim claim, GenericRecord row) {
        row.setField(EventColumns.KIND, kind);
        row.setField(EventColumns.PRODUCER, claim.producer());
        row.setField(EventColumns.EPOCH, claim.epoch());
        row.setField(EventColumns.SEQUENCE, claim.sequence());
    }

    private static void tellOfJob(Entry.OfJob entry, State after, GenericRecord row) {
        if (entry instanceof StartSession start) {
            row.setField(EventColumns.KIND, "session");
            row.setField(EventColumns.SESSION, start.session());
            row.setField(EventColumns.CHECKPOINT, start.from().isEmpty() ? null : start.from());
            started(start, after)
                    .ifPresent(session -> row.setField(EventColumns.STEP, session.firstStep()));
        } else if (entry instanceof Checkpoint checkpoint) {
            row.setField(EventColumns.KIND, "checkpoint");
            row.setField(
                    EventColumns.SESSION,
                    checkpoint.session().isEmpty() ? null : checkpoint.session());
            row.setField(EventColumns.CHECKPOINT, checkpoint.checkpoint());
            row.setField(EventColumns.STEP, checkpoint.nextStep());
            row.setField(EventColumns.RECEIPT, checkpoint.receipt().toHex());
            row.setField(EventColumns.ROLLBACK, checkpoint.rollback());
        } else if (entry instanceof ReleaseCheckpoint release) {
            row.setField(EventColumns.KIND, "released");
            row.setField(EventColumns.CHECKPOINT, release.checkpoint());
        } else {
            row.setField(EventColumns.KIND, "detached");
        }
    }

    private static Optional<Session> started(StartSession entry, State after) {
        return after.job(entry.job())
                .flatMap(JobState::session)
                .filter(session -> session.id().equals(entry.session()));
    }

    private static void tellOfOperator(Entry entry, GenericRecord row) {
        if (entry instanceof Skip skip) {
            row.setField(EventColumns.KIND, "skipped");
            row.setField(EventColumns.REASON, skip.reason());
            range(skip.steps(), row);
        } else if (entry instanceof Unskip unskip) {
            row.setField(EventColumns.KIND, "unskipped");
            range(unskip.steps(), row);
        } else if (entry instanceof Sweep sweep) {
            row.setField(EventColumns.KIND, "swept");
            row.setField(EventColumns.STEP, sweep.lowStep());
            row.setField(
                    EventColumns.LAST_STEP, sweep.sweptStep() == 0 ? null : sweep.sweptStep() - 1);
        } else {
            row.setField(EventColumns.KIND, "altered");
            row.setField(EventColumns.SETTINGS, SettingNames.of(((Alter) entry).settings()));
        }
    }

    private static void range(StepRange steps, GenericRecord row) {
        row.setField(EventColumns.STEP, steps.first());
        row.setField(EventColumns.LAST_STEP, steps.last());
    }
}
