package io.batchweave.cli;

import io.batchweave.cli.ingest.RowBlock;
import io.batchweave.cli.ingest.Tally;
import io.batchweave.cli.ingest.TokenSource;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

/** Publishes what a token source has left, batch by batch, and finishes the producer. */
final class TokenIngest {
    private final Producer producer;
    private final TokenSource source;
    private final TokenSlice slice;
    private final Progress progress;
    private final World world;
    private final double batchesPerSecondMax;

    private final RowBlock block;
    private final int slices;
    private CompletableFuture<Long> newestStep = CompletableFuture.completedFuture(-1L);
    private long batches;
    private Tally total = Tally.ZERO;

    TokenIngest(
            Producer producer,
            TokenSource source,
            TokenSlice slice,
            Progress progress,
            World world,
            double batchesPerSecondMax) {
        this.producer = producer;
        this.source = source;
        this.slice = slice;
        this.progress = progress;
        this.world = world;
        this.batchesPerSecondMax = batchesPerSecondMax;
        this.block = source.newBlock();
        this.slices = producer.grid().slices();
    }

    Ingested run() {
        Instant start = world.clock().instant();
        while (source.fill(block)) {
            keepRate(start);
            publishBatch();
            progress.at(batches);
        }
        producer.finish(source.progress());
        return new Ingested(batches, newestStep.join(), total);
    }

    /**
     * Publishes a batch that begins with the filled block; the rest is padded where the input ends.
     */
    private void publishBatch() {
        Tally tally = block.tally();
        try (BatchWriter batch = producer.newBatch()) {
            batch.write(slice.fill(block));
            for (int written = 1; written < slices; written++) {
                source.fill(block);
                tally = tally.plus(block.tally());
                batch.write(slice.fill(block));
            }
            newestStep = batch.publish(source.progress(), tally.counts());
        }
        batches++;
        total = total.plus(tally);
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
