package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Shard;
import io.batchweave.testing.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;

/** One rank of the job, from a session's start to the last step. */
final class TrainingRank {
    private static final Duration WAIT = Duration.ofMinutes(2);

    private final LongLife life;
    private final Log log;
    private final Job job;
    private final int rank;
    private final long[] published = new long[LongLife.PRODUCERS];

    TrainingRank(LongLife life, int rank) {
        this.life = life;
        this.log = life.log();
        this.job = new Jobs(log).open(LongLife.JOB);
        this.rank = rank;
    }

    /** Reads all steps, and makes checkpoints; the receipts after each step. */
    List<Bytes> train() {
        List<Bytes> receipts = new ArrayList<>();
        try (StepReader reader = reader(LongLife.SESSION)) {
            while (reader.nextStep() < LongLife.STEPS) {
                try (StepBatch batch = reader.next(WAIT).orElseThrow()) {
                    assertIsTheNextOfItsProducer(batch);
                    receipts.add(batch.cursor().receipt());
                }
                if (reader.nextStep() % LongLife.CHECKPOINT_EVERY == 0) {
                    save(reader.nextStep(), receipts.get(receipts.size() - 1));
                }
            }
        }
        return receipts;
    }

    /** Reads from the start of a session on, which is at a checkpoint; the receipts. */
    List<Bytes> restored(String session, String checkpoint) {
        job.start(session, checkpoint);
        List<Bytes> receipts = new ArrayList<>();
        try (StepReader reader = reader(session)) {
            while (reader.nextStep() < LongLife.STEPS) {
                try (StepBatch batch = reader.next(WAIT).orElseThrow()) {
                    receipts.add(batch.cursor().receipt());
                }
            }
        }
        return receipts;
    }

    private StepReader reader(String session) {
        Place place =
                Place.parse("dp=" + rank + "/" + LongLife.RANKS, log.state().dataset().grid());
        return StepReader.open(
                log,
                place,
                job.session(session),
                ReadLimits.DEFAULT,
                life.allocator(),
                Runnable::run);
    }

    private void assertIsTheNextOfItsProducer(StepBatch batch) {
        // The last slice of each rank has rows.
        SliceBatch last = batch.slices().get(batch.slices().size() - 1);
        long number = ((BigIntVector) last.rows().getVector("batch")).get(0);
        int producer = LongLife.producerOf(number);
        assertThat(LongLife.before(number)).isEqualTo(published[producer]++);
        batch.slices()
                .forEach(
                        slice ->
                                assertThat(Numbers.areThoseOf(slice.rows(), number, slice.index()))
                                        .isTrue());
    }

    private void save(long step, Bytes receipt) {
        Saved saved =
                new Saved(LongLife.SESSION, "at" + step, step, receipt, Saved.Direction.FORWARD);
        Shard shard = new Shard(rank, LongLife.RANKS);
        LongLife.untilKnown(() -> job.acknowledge(saved, shard));
        life.awaitSweep(log);
    }
}
