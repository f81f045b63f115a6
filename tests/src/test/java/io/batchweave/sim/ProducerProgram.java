package io.batchweave.sim;

import io.batchweave.errors.FencedException;
import io.batchweave.log.Log;
import io.batchweave.model.Claim;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.testing.Numbers;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Publishes what its source has, from where the log says that it stopped, and finishes. */
record ProducerProgram(String name, long batches) implements Program {

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    if (log.state().phase() == State.Phase.OPEN) {
                        publishAll(life, log);
                    }
                });
    }

    private void publishAll(Life life, Log log) {
        ProducerLimits limits =
                new ProducerLimits(1 + life.choice().of(4), life.happens(2) ? 1 : 1 << 20);
        try (Producer producer = Producer.open(log, name, limits, life.executor())) {
            Incarnation self = new Incarnation(life, log, producer, name);
            while (self.next < batches) {
                if (life.happens(8)) {
                    self.abandon();
                }
                self.publish();
                if (life.happens(3)) {
                    producer.flush();
                }
            }
            producer.finish(Numbers.progress(batches));
            life.witness().saw(log.state());
        } catch (FencedException e) {
            if (life.isCalm() && log.catchUp().phase() == State.Phase.OPEN) {
                throw e;
            }
            // Somebody has the name now, or all is over; one of two does not give in.
            if (!life.isCalm() && !life.happens(4)) {
                throw e;
            }
        }
    }

    /** A producer that is open, and which batch is its next. */
    static final class Incarnation {
        private final Life life;
        private final Log log;
        private final Producer producer;
        private final String name;
        private final long epoch;
        private long sequence;
        private long next;

        Incarnation(Life life, Log log, Producer producer, String name) {
            this.life = life;
            this.log = log;
            this.producer = producer;
            this.name = name;
            life.witness().saw(log.state());
            ProducerState opened = log.state().producer(name).orElseThrow();
            this.epoch = opened.epoch();
            this.sequence = opened.nextSequence();
            this.next = Numbers.nextBatch(producer.progress());
        }

        long next() {
            return next;
        }

        /** Hands the next batch over to be committed. */
        void publish() {
            try (BatchWriter batch = producer.newBatch()) {
                Claim claim = new Claim(name, epoch, sequence);
                life.witness().began(claim, log.state());
                long number = next;
                Sources.write(batch, life.allocator(), name, number, producer.grid().slices());
                next++;
                sequence++;
                CompletableFuture<Long> step =
                        batch.publish(Numbers.progress(number + 1), List.of());
                var unused = step.whenComplete((s, failure) -> told(claim, number, s, failure));
            }
        }

        /** What a process learns that is dead, nobody learns. */
        private void told(Claim claim, long number, Long step, Throwable failure) {
            if (!life.host().isAlive()) {
                return;
            }
            if (failure == null) {
                life.witness().acknowledged(claim, number, step, log.state());
            } else {
                life.witness().failed(claim, failure);
            }
        }

        /** Begins a batch and thinks better of it. */
        void abandon() {
            try (BatchWriter batch = producer.newBatch()) {
                int slices = life.choice().of(producer.grid().slices() + 1);
                Sources.write(batch, life.allocator(), name, 999_999, slices);
            }
        }
    }
}
