package io.batchweave.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.store.CountingStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thousand producers that publish two steps a second together, and 1,250 nodes that look into the
 * log when thirty seconds of prefetched steps are used up. Of each kind some are there, with the
 * real log, and stand for all.
 */
@Tag("LOG-12")
class FleetTest {
    private static final DatasetName NAME = DatasetName.parse("sim.fleet");
    private static final int PRODUCERS = 1_000;
    private static final int NODES = 1_250;
    private static final int SAMPLE = 50;
    private static final Duration BETWEEN_STEPS = Duration.ofMillis(500);
    private static final int STEPS_OF_RUNWAY = 60;
    private static final int WARM_UP = 1_200;
    private static final int STEPS = 1_000;

    private final HandClock clock = new HandClock(Instant.parse("2026-11-29T12:00:00Z"));
    private final MemoryStore store = new MemoryStore(clock.world(1));
    private final CountingStore producing = new CountingStore(store);
    private final CountingStore reading = new CountingStore(store);
    private final List<Publisher> publishers = new ArrayList<>();
    private final List<Log> readers = new ArrayList<>();
    private long seed = 10;

    /** A producer as far as the log sees it. */
    private static final class Publisher {
        private final String name;
        private final Log log;
        private final long epoch;
        private long sequence;

        Publisher(String name, Log log) {
            this.name = name;
            this.log = log;
            var opening = new OpenProducer(name, log.world().newId());
            this.epoch = log.append(List.of(opening)).producer(name).orElseThrow().epoch();
        }

        void publish() {
            Slice slice = new Slice(64, 1_000, 1, 7);
            Part part = new Part(1_100, Bytes.fromHex("0a".repeat(32)), List.of(slice));
            Claim claim = new Claim(name, epoch, sequence++);
            log.append(
                    List.of(
                            new Publish(
                                    claim,
                                    Bytes.EMPTY,
                                    new GlobalBatch(0, List.of(part), List.of()))));
            log.saveIfDue();
        }
    }

    @Test
    void requestsForTheLogStayBelowTwoThousandASecond() {
        Log.create(store, NAME, Numbers.dataset("dp=1"), clock.world(2), LogLimits.DEFAULT);
        Publisher others = new Publisher("others", open(new CountingStore(store)));
        for (int i = 0; i < SAMPLE; i++) {
            publishers.add(new Publisher("p" + i, open(producing)));
            readers.add(open(reading));
        }
        step(others, 0, WARM_UP);
        long producersBefore = producing.requests().total();
        long readersBefore = reading.requests().total();
        step(others, WARM_UP, WARM_UP + STEPS);

        double seconds = STEPS * BETWEEN_STEPS.toMillis() / 1_000.0;
        double ofProducers =
                (producing.requests().total() - producersBefore) / seconds * PRODUCERS / SAMPLE;
        double ofNodes = (reading.requests().total() - readersBefore) / seconds * NODES / SAMPLE;
        System.out.printf(
                "%.0f requests for the log a second: %.0f of %d producers, %.0f of %d nodes%n",
                ofProducers + ofNodes, ofProducers, PRODUCERS, ofNodes, NODES);
        assertThat(ofProducers + ofNodes).isLessThan(2_000);
        assertThat(readers).allMatch(reader -> reader.catchUp().nextStep() == WARM_UP + STEPS);
    }

    /** Every producer has its turn once in a thousand steps, and every node once in a runway. */
    private void step(Publisher others, int from, int to) {
        for (int step = from; step < to; step++) {
            clock.move(BETWEEN_STEPS);
            int turn = step % PRODUCERS;
            boolean isOfTheSample = turn % (PRODUCERS / SAMPLE) == 0;
            (isOfTheSample ? publishers.get(turn / (PRODUCERS / SAMPLE)) : others).publish();
            for (int node = step % STEPS_OF_RUNWAY; node < SAMPLE; node += STEPS_OF_RUNWAY) {
                readers.get(node).catchUp();
            }
        }
    }

    private Log open(CountingStore way) {
        return Log.open(way, NAME, clock.world(seed++), LogLimits.DEFAULT);
    }
}
