package io.batchweave.cli;

import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.Names;
import io.batchweave.model.SliceGrid;
import java.util.Locale;
import java.util.stream.Collectors;

/** What an entry of a commit asks for, in words. */
final class EntryText {
    private EntryText() {}

    static String of(Entry entry) {
        if (entry instanceof CreateDataset created) {
            return "create dataset "
                    + created.datasetId()
                    + " with the grid "
                    + new SliceGrid(created.grid());
        }
        if (entry instanceof OpenProducer opening) {
            return "open producer " + opening.producer();
        }
        if (entry instanceof Publish publish) {
            return "publish " + publish.claim() + ", " + publish.batch().bytes() + " bytes";
        }
        if (entry instanceof Finish finish) {
            return "finish " + finish.claim();
        }
        if (entry instanceof Seal seal) {
            return "seal, condition " + seal.condition().name().toLowerCase(Locale.ROOT);
        }
        return entry instanceof Entry.OfJob said ? ofJob(said) : ofOperator(entry);
    }

    private static String ofJob(Entry.OfJob entry) {
        if (entry instanceof StartSession start) {
            return "start session "
                    + start.session()
                    + " of job "
                    + start.job()
                    + (start.from().isEmpty() ? "" : " at checkpoint " + start.from());
        }
        if (entry instanceof Checkpoint checkpoint) {
            return "checkpoint "
                    + checkpoint.checkpoint()
                    + " of job "
                    + checkpoint.job()
                    + " at step "
                    + checkpoint.nextStep()
                    + (checkpoint.rollback() ? ", a rollback" : "");
        }
        if (entry instanceof ReleaseCheckpoint release) {
            return "release checkpoint " + release.checkpoint() + " of job " + release.job();
        }
        return "detach job " + ((DetachJob) entry).job();
    }

    private static String ofOperator(Entry entry) {
        if (entry instanceof AttachJob attaching) {
            return "attach job "
                    + attaching.job()
                    + " at step "
                    + attaching.fromStep()
                    + ", keeping "
                    + Output.count(attaching.keep(), "checkpoint", "checkpoints");
        }
        if (entry instanceof Skip skip) {
            return "skip steps " + skip.steps() + " (" + Names.onOneLine(skip.reason()) + ")";
        }
        if (entry instanceof Unskip unskip) {
            return "skip steps " + unskip.steps() + " no more";
        }
        if (entry instanceof Sweep sweep) {
            return "sweep payload below step "
                    + sweep.lowStep()
                    + "; below step "
                    + sweep.sweptStep()
                    + " it is gone";
        }
        return ((Alter) entry)
                .settings().stream()
                        .map(SettingText::of)
                        .collect(Collectors.joining(", ", "alter ", ""));
    }
}
