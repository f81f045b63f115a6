package io.batchweave.cli;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.model.Count;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Publishes what a source has left, batch by batch, and finishes the producer. */
final class Ingest {
    private final Producer producer;
    private final SliceSource source;
    private final Inputs inputs;
    private final Progress progress;
    private final World world;
    private final double batchesPerSecondMax;

    private final int slices;
    private CompletableFuture<Long> newestStep = CompletableFuture.completedFuture(-1L);
    private long batches;
    private List<Count> total = List.of();

    Ingest(
            Producer producer,
            SliceSource source,
            Inputs inputs,
            Progress progress,
            World world,
            double batchesPerSecondMax) {
        this.producer = producer;
        this.source = source;
        this.inputs = inputs;
        this.progress = progress;
        this.world = world;
        this.batchesPerSecondMax = batchesPerSecondMax;
        this.slices = producer.grid().slices();
    }

    Ingested run() {
        Instant start = world.clock().instant();
        while (source.next()) {
            keepRate(start);
            publishBatch();
            progress.at(batches);
        }
        producer.finish(source.progress());
        // The slice at the end holds nothing, but says what is counted.
        total = Ingested.sum(total, source.counts());
        return new Ingested(batches, newestStep.join(), total);
    }

    /**
     * Publishes a batch that begins with the slice the source is at. It is handed over only when
     * all its slices are written, so that bad input in its middle publishes nothing of it.
     */
    private void publishBatch() {
        List<Count> counts = source.counts();
        Origins origins = new Origins();
        try (BatchWriter batch = producer.newBatch()) {
            batch.write(source.slice());
            origins.addSlice(source.origins());
            for (int written = 1; written < slices; written++) {
                source.next();
                counts = Ingested.sum(counts, source.counts());
                batch.write(source.slice());
                origins.addSlice(source.origins());
            }
            inputs.demandUnchanged(origins.inputs());
            newestStep = batch.publish(source.progress(), counts, origins.provenance());
        }
        batches++;
        total = Ingested.sum(total, counts);
    }

    private void keepRate(Instant start) {
        if (Double.isFinite(batchesPerSecondMax)) {
            Instant due = start.plusNanos((long) (batches / batchesPerSecondMax * 1e9));
            Duration early = Duration.between(world.clock().instant(), due);
            if (!early.isNegative()) {
                world.pause().pause(early);
            }
        }
    }
}
