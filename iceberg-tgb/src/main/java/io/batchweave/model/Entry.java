package io.batchweave.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/** One thing that a commit says. */
public sealed interface Entry {

    /** The first entry of version 0; anywhere else it is without effect. */
    record CreateDataset(
            String datasetId,
            String schema,
            List<Axis> grid,
            List<String> producers,
            List<Feature> features)
            implements Entry {
        public CreateDataset {
            Names.checkId("dataset", datasetId);
            grid = new SliceGrid(grid).axes();
            producers = List.copyOf(producers);
            features = List.copyOf(features);
            producers.forEach(producer -> Names.checkPathPart("producer", producer));
            Names.checkDistinct("dataset", "producer", producers);
        }
    }

    /** Starts a new incarnation of a producer; its epoch is the version of this commit. */
    record OpenProducer(String producer, String openingId) implements Entry {
        public OpenProducer {
            Names.checkPathPart("producer", producer);
            Names.checkId("opening", openingId);
        }
    }

    /** One global batch, its claim and its producer's progress: in together or not at all. */
    record Publish(Claim claim, Bytes progress, GlobalBatch batch) implements Entry {
        public Publish {
            checkProgress(claim, progress);
        }
    }

    /** The producer has published all it has. */
    record Finish(Claim claim, Bytes progress) implements Entry {
        public Finish {
            checkProgress(claim, progress);
        }
    }

    /** The dataset is complete: no step follows. */
    record Seal(SealCondition condition) implements Entry {}

    /** An entry of a job that was attached before. */
    interface OfJob {
        String job();

        /** Of the attachment that the writer knows; that of another one is without effect. */
        String attachmentId();
    }

    /**
     * A training job will read the dataset from a step on, and may need all that follows.
     *
     * @param fromStep published, or the one that is published next
     * @param keep how many of its newest checkpoints it may go back to
     */
    record AttachJob(String job, String attachmentId, long fromStep, int keep) implements Entry {
        /** Most checkpoints that a job may keep. */
        public static final int KEEP_MAX = 1_024;

        public AttachJob {
            checkJob(job, attachmentId);
            checkStep("job " + job, fromStep);
            if (keep < 1 || keep > KEEP_MAX) {
                throw new IllegalArgumentException(
                        "Invalid job %s: it keeps %d checkpoints; use 1 to %d"
                                .formatted(job, keep, KEEP_MAX));
            }
        }
    }

    /** The job needs nothing any more. */
    record DetachJob(String job, String attachmentId) implements Entry, OfJob {
        public DetachJob {
            checkJob(job, attachmentId);
        }
    }

    /**
     * The job starts or restarts: where, and what it passes over, is decided once for all its
     * ranks.
     *
     * @param session what all ranks of this start call it
     * @param from the checkpoint to start at; empty: where the job is
     */
    record StartSession(String job, String attachmentId, String session, String from)
            implements Entry, OfJob {
        public StartSession {
            checkJob(job, attachmentId);
            Names.checkPathPart("session", session);
            if (!from.isEmpty()) {
                Names.checkPathPart("checkpoint", from);
            }
        }
    }

    /**
     * All ranks of a job have saved their models, and can go on at a step.
     *
     * @param session the session that they are in; empty: the job never started one
     * @param checkpoint what the job calls it
     * @param nextStep the first step that the models have not seen
     * @param receipt of all that they were given
     * @param rollback whether it may lie behind the job's last one
     */
    record Checkpoint(
            String job,
            String attachmentId,
            String session,
            String checkpoint,
            long nextStep,
            Bytes receipt,
            boolean rollback)
            implements Entry, OfJob {
        public Checkpoint {
            checkJob(job, attachmentId);
            if (!session.isEmpty()) {
                Names.checkPathPart("session", session);
            }
            Names.checkPathPart("checkpoint", checkpoint);
            checkStep("checkpoint " + checkpoint, nextStep);
            if (receipt.length() != Bytes.SHA256_BYTES) {
                throw new IllegalArgumentException(
                        "Invalid checkpoint %s: a receipt of %d bytes"
                                .formatted(checkpoint, receipt.length()));
            }
        }
    }

    /** The models of a checkpoint are gone, or no longer wanted. */
    record ReleaseCheckpoint(String job, String attachmentId, String checkpoint)
            implements Entry, OfJob {
        public ReleaseCheckpoint {
            checkJob(job, attachmentId);
            Names.checkPathPart("checkpoint", checkpoint);
        }
    }

    /** Sessions that start from now on pass over these steps. */
    record Skip(StepRange steps, String reason) implements Entry {
        /** Most bytes of a reason in UTF-8. */
        public static final int REASON_BYTES_MAX = 1_024;

        public Skip {
            int bytes = reason.getBytes(UTF_8).length;
            if (bytes < 1 || bytes > REASON_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "Invalid skip of steps %s: a reason of %d bytes; say why in 1 to %d"
                                .formatted(steps, bytes, REASON_BYTES_MAX));
            }
        }
    }

    /** Sessions that start from now on do not pass over these steps. */
    record Unskip(StepRange steps) implements Entry {}

    /** The dataset has these settings from now on, and keeps its others. */
    record Alter(List<Setting> settings) implements Entry {
        public Alter {
            settings = List.copyOf(settings);
            long kinds = settings.stream().map(Object::getClass).distinct().count();
            if (settings.isEmpty() || kinds < settings.size()) {
                throw new IllegalArgumentException(
                        "Invalid change of settings %s: name one or more, each once"
                                .formatted(settings));
            }
        }
    }

    /**
     * Payload of the steps below {@code lowStep} may be deleted from now on.
     *
     * @param sweptStep payload of all steps below it is gone: who offers this has seen that
     *     deleted, or read that others had
     */
    record Sweep(long lowStep, long sweptStep) implements Entry {
        public Sweep {
            checkStep("a sweep", lowStep);
            checkStep("a sweep", sweptStep);
            if (sweptStep > lowStep) {
                throw new IllegalArgumentException(
                        "Invalid sweep: swept below step %d, while payload is kept from step %d on"
                                .formatted(sweptStep, lowStep));
            }
        }
    }

    /** What must hold for a seal to count. */
    enum SealCondition {
        /** It counts whatever the producers are doing. */
        NONE,
        /** It counts if every producer that is declared or ever opened has finished. */
        ALL_FINISHED
    }

    /** Most bytes of progress in one entry. */
    int PROGRESS_BYTES_MAX = 1 << 16;

    private static void checkJob(String job, String attachmentId) {
        Names.checkPathPart("job", job);
        Names.checkId("attachment", attachmentId);
    }

    private static void checkStep(String of, long step) {
        if (step < 0 || step == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Invalid step %d of %s: steps count from 0 and end before %d"
                            .formatted(step, of, Long.MAX_VALUE));
        }
    }

    private static void checkProgress(Claim claim, Bytes progress) {
        if (progress.length() > PROGRESS_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "Invalid progress of "
                            + claim
                            + ": "
                            + progress.length()
                            + " bytes, at most "
                            + PROGRESS_BYTES_MAX
                            + " fit a commit");
        }
    }
}
