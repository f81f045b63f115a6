package io.batchweave.sim;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.state.State;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import java.time.Duration;
import java.util.Optional;

/**
 * Publishes and reads by one log, in one thread: what it is given must be in, even while it does
 * not know what became of its own.
 */
record LoopProgram(String name, long batches) implements Program {

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    Place whole = Place.whole(log.state().dataset().grid());
                    try (StepReader reader =
                            StepReader.open(
                                    log,
                                    whole,
                                    log.state().nextStep(),
                                    ReadLimits.DEFAULT,
                                    life.allocator(),
                                    new HandExecutor())) {
                        publishAll(life, log, reader);
                    }
                });
    }

    private void publishAll(Life life, Log log, StepReader reader) {
        if (log.state().phase() == State.Phase.SEALED) {
            return;
        }
        try (Producer producer = Producer.open(log, name, ProducerLimits.DEFAULT, Runnable::run)) {
            var self = new ProducerProgram.Incarnation(life, log, producer, name);
            while (self.next() < batches) {
                self.publish();
                readWhatIsThere(life, log, reader);
            }
            producer.finish(Numbers.progress(batches));
        } catch (FencedException e) {
            life.witness().saw(log.state());
        } catch (BatchWeaveException e) {
            readWhatIsThere(life, log, reader);
            throw e;
        }
    }

    private void readWhatIsThere(Life life, Log log, StepReader reader) {
        try {
            for (Optional<StepBatch> next = reader.next(Duration.ZERO);
                    next.isPresent();
                    next = reader.next(Duration.ZERO)) {
                try (StepBatch batch = next.get()) {
                    life.witness()
                            .delivered(
                                    name,
                                    batch.step(),
                                    ReaderProgram.numberOf(batch),
                                    batch.cursor().receipt(),
                                    log.state());
                }
            }
        } catch (UnavailableException e) {
            // No more is there; later there will be.
        }
    }
}
