package io.batchweave.model;

import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Unskip;
import java.util.List;

/** Plain entries of a job {@code j} that attached under the id 1, and of operators. */
public final class JobEntries {
    public static final Bytes RECEIPT = Bytes.fromHex("5e".repeat(32));

    private JobEntries() {}

    public static AttachJob attach(long id, long fromStep, int keep) {
        return new AttachJob("j", Entries.id(id), fromStep, keep);
    }

    public static AttachJob attach() {
        return attach(1, 0, 3);
    }

    public static DetachJob detach(long id) {
        return new DetachJob("j", Entries.id(id));
    }

    /** A session that starts where the job is. */
    public static StartSession session(String id) {
        return session(id, "");
    }

    public static StartSession session(String id, String from) {
        return new StartSession("j", Entries.id(1), id, from);
    }

    /** A checkpoint named for its step, with a receipt that nobody compares here. */
    public static Checkpoint checkpoint(String session, long nextStep) {
        return checkpoint(session, "at" + nextStep, nextStep);
    }

    public static Checkpoint checkpoint(String session, String name, long nextStep) {
        return new Checkpoint("j", Entries.id(1), session, name, nextStep, RECEIPT, false);
    }

    public static Checkpoint rollback(String session, String name, long nextStep) {
        return new Checkpoint("j", Entries.id(1), session, name, nextStep, RECEIPT, true);
    }

    public static ReleaseCheckpoint release(String checkpoint) {
        return new ReleaseCheckpoint("j", Entries.id(1), checkpoint);
    }

    public static Skip skip(long first, long last) {
        return new Skip(new StepRange(first, last), "a spike");
    }

    public static Unskip unskip(long first, long last) {
        return new Unskip(new StepRange(first, last));
    }

    public static Alter alter(Setting... settings) {
        return new Alter(List.of(settings));
    }
}
