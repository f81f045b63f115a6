package io.batchweave.model;

import java.util.HashSet;
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
            if (new HashSet<>(producers).size() < producers.size()) {
                throw new IllegalArgumentException(
                        "Invalid dataset: a producer is declared twice: " + producers);
            }
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

    /** What must hold for a seal to count. */
    enum SealCondition {
        /** It counts whatever the producers are doing. */
        NONE,
        /** It counts if every producer that is declared or ever opened has finished. */
        ALL_FINISHED
    }

    /** Most bytes of progress in one entry. */
    int PROGRESS_BYTES_MAX = 1 << 16;

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
