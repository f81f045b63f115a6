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
                made.setField("entry", index);
                made.setField("at", applied.state().time().atOffset(ZoneOffset.UTC));
                made.setField("effective", !(verdict instanceof Ignored));
                made.setField("why", verdict instanceof Ignored ignored ? ignored.why() : null);
                made.setField("writer", commit.writer());
                made.setField("commit_id", commit.id());
                made.setField("settings", Map.of());
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
            row.setField("kind", "opened");
            row.setField("producer", opening.producer());
            row.setField("epoch", after.version());
        } else if (entry instanceof CreateDataset created) {
            row.setField("kind", "created");
            row.setField(
                    "settings",
                    Map.of(
                            "dataset-id", created.datasetId(),
                            "grid", new SliceGrid(created.grid()).toString(),
                            "producers", String.join(",", created.producers())));
        } else if (entry instanceof Seal) {
            row.setField("kind", "sealed");
            row.setField("step", after.nextStep());
        } else if (entry instanceof AttachJob attaching) {
            row.setField("kind", "attached");
            row.setField("job", attaching.job());
            row.setField("step", attaching.fromStep());
            row.setField("keep", attaching.keep());
        } else if (entry instanceof Entry.OfJob said) {
            row.setField("job", said.job());
            tellOfJob(said, after, row);
        } else {
            tellOfOperator(entry, row);
        }
    }

    private static void claim(String kind, Claim claim, GenericRecord row) {
        row.setField("kind", kind);
        row.setField("producer", claim.producer());
        row.setField("epoch", claim.epoch());
        row.setField("sequence", claim.sequence());
    }

    private static void tellOfJob(Entry.OfJob entry, State after, GenericRecord row) {
        if (entry instanceof StartSession start) {
            row.setField("kind", "session");
            row.setField("session", start.session());
            row.setField("checkpoint", start.from().isEmpty() ? null : start.from());
            started(start, after).ifPresent(session -> row.setField("step", session.firstStep()));
        } else if (entry instanceof Checkpoint checkpoint) {
            row.setField("kind", "checkpoint");
            row.setField("session", checkpoint.session().isEmpty() ? null : checkpoint.session());
            row.setField("checkpoint", checkpoint.checkpoint());
            row.setField("step", checkpoint.nextStep());
            row.setField("receipt", checkpoint.receipt().toHex());
            row.setField("rollback", checkpoint.rollback());
        } else if (entry instanceof ReleaseCheckpoint release) {
            row.setField("kind", "released");
            row.setField("checkpoint", release.checkpoint());
        } else {
            row.setField("kind", "detached");
        }
    }

    private static Optional<Session> started(StartSession entry, State after) {
        return after.job(entry.job())
                .flatMap(JobState::session)
                .filter(session -> session.id().equals(entry.session()));
    }

    private static void tellOfOperator(Entry entry, GenericRecord row) {
        if (entry instanceof Skip skip) {
            row.setField("kind", "skipped");
            row.setField("reason", skip.reason());
            range(skip.steps(), row);
        } else if (entry instanceof Unskip unskip) {
            row.setField("kind", "unskipped");
            range(unskip.steps(), row);
        } else if (entry instanceof Sweep sweep) {
            row.setField("kind", "swept");
            row.setField("step", sweep.lowStep());
            row.setField("last_step", sweep.sweptStep() == 0 ? null : sweep.sweptStep() - 1);
        } else {
            row.setField("kind", "altered");
            row.setField("settings", SettingNames.of(((Alter) entry).settings()));
        }
    }

    private static void range(StepRange steps, GenericRecord row) {
        row.setField("step", steps.first());
        row.setField("last_step", steps.last());
    }
}
