package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Layout;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.Requests;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiting for a step that is not published yet. */
class WaitingTest {
    private Scene scene = new Scene("dp=2");

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    void aStepThatIsPublishedMeanwhileIsDelivered() {
        Producer producer = producer("p");
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            scene.atNextPause(() -> scene.publish(producer, 0));

            assertThat(rank.read().step()).isZero();
        }
    }

    @Test
    void aReaderMayWaitForAStepFarAhead() {
        Producer producer = producer("p");
        scene.publish(producer, 0);
        try (Rank rank = Rank.at(scene, "dp=0/1", 2)) {
            List<String> payloadReads = new ArrayList<>();
            scene.watch(
                    call -> {
                        if (call.key().endsWith(".arrow")) {
                            payloadReads.add(call.key());
                        }
                    });
            scene.atNextPause(
                    () -> {
                        scene.publish(producer, 1);
                        scene.publish(producer, 2);
                    });

            assertThat(rank.read().step()).isEqualTo(2);

            assertThat(payloadReads)
                    .containsExactly(new Layout(Scene.NAME).part(scene.truth().step(2).claim(), 0));
        }
    }

    @Test
    void aWaitThatEndsSaysWhatItWaitedFor() {
        Producer p = producer("p");
        producer("q");
        scene.publish(p, 0);
        Instant opened = scene.truth().producer("q").orElseThrow().lastActivity();
        scene.clock().move(Duration.ofMinutes(1));
        scene.publish(p, 1);
        Instant published = scene.truth().producer("p").orElseThrow().lastActivity();
        try (Rank rank = Rank.at(scene, "dp=0/1", 2)) {
            Instant before = scene.clock().instant();

            assertNotPublished(
                    rank,
                    Duration.ofSeconds(30),
                    "Cannot read step 2 of train.numbers: not published within 30000 ms; the newest"
                            + " is 1; producer p was last active at "
                            + published
                            + ", producer q was last active at "
                            + opened
                            + "; wait longer, or look at the producers");
            assertThat(Duration.between(before, scene.clock().instant()))
                    .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));

            scene.publish(p, 2);
            assertThat(rank.read().step()).as("and it may be asked for again").isEqualTo(2);
        }
    }

    @Test
    void aWaitWithoutAnyProducerSaysSo() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertNotPublished(
                    rank,
                    Duration.ofMillis(5),
                    "Cannot read step 0 of train.numbers: not published within 5 ms; no step is"
                            + " published; no producer has opened yet; wait longer, or look at the"
                            + " producers");
        }
    }

    @Test
    void aWaitNamesDeclaredProducersThatAreMissing() {
        scene.close();
        scene = new Scene("dp=2", "p", "q");
        producer("p").finish(Numbers.progress(0));
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertNotPublished(
                    rank, Duration.ofSeconds(1), "; producer q has not opened yet; wait longer");
        }
    }

    @Test
    void aWaitSaysThatTheSealIsMissing() {
        producer("p").finish(Numbers.progress(0));
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertNotPublished(
                    rank,
                    Duration.ofSeconds(1),
                    "; every producer has finished, and the dataset is not sealed; ");
        }
    }

    @Test
    void aThousandProducersFitALine() {
        for (int i = 0; i < 5; i++) {
            producer("p" + i);
        }
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertThatExceptionOfType(UnavailableException.class)
                    .isThrownBy(() -> rank.reader().next(Duration.ZERO))
                    .withMessageContainingAll("p0", "p1", "p2", "p3", "p4")
                    .withMessageNotContaining("others");
        }
        for (int i = 5; i < 20; i++) {
            producer("p" + i);
        }
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertNotPublished(
                    rank, Duration.ofSeconds(1), " and 15 others are not finished; wait longer");
        }
    }

    /** News that are not the step are no reason to wait longer. */
    @Test
    void aWaitEndsInTimeWhileTheLogGrows() {
        Producer producer = producer("p");
        long[] number = {0};
        boolean[] publishing = {false};
        try (Rank rank = Rank.at(scene, "dp=0/1", 1_000_000)) {
            scene.clock()
                    .whilePausing(
                            pause -> {
                                if (!publishing[0]) {
                                    publishing[0] = true;
                                    scene.publish(producer, number[0]++);
                                    publishing[0] = false;
                                }
                            });
            Instant before = scene.clock().instant();

            assertNotPublished(rank, Duration.ofSeconds(1), "; the newest is ");
            assertThat(Duration.between(before, scene.clock().instant()))
                    .isLessThan(Duration.ofSeconds(2));
            assertThat(number[0]).isGreaterThan(10);
        }
    }

    @Test
    void waitingForNoTimeLooksOnce() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            Requests before = scene.requests();

            assertNotPublished(rank, Duration.ZERO, "not published within 0 ms");

            assertThat(scene.requests().minus(before).total()).isEqualTo(1);
            scene.publish(producer("p"), 0);
            assertThat(rank.reader().next(Duration.ZERO).orElseThrow()).satisfies(StepBatch::close);
        }
    }

    @Test
    void anInterruptedWaitSaysSoAndMayBeRepeated() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            scene.atNextPause(Thread.currentThread()::interrupt);
            String message =
                    "Cannot read step 0 of train.numbers: the thread was interrupted; ask for the"
                            + " same step again";

            assertNotPublished(rank, Duration.ofSeconds(30), message);
            assertNotPublished(rank, Duration.ofSeconds(30), message);
            assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();

            scene.publish(producer("p"), 0);
            assertThat(rank.read().step()).isZero();
        }
    }

    private Producer producer(String name) {
        return Producer.open(
                scene.log(scene.memory()), name, ProducerLimits.DEFAULT, Runnable::run);
    }

    private static void assertNotPublished(Rank rank, Duration wait, String message) {
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> rank.reader().next(wait))
                .withMessageContaining(message);
    }
}
