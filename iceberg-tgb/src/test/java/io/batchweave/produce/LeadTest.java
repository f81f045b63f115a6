package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.StepRange;
import io.batchweave.store.Requests;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A producer waits for the slowest job, and for nothing else. */
@Tag("PRODUCE-5")
class LeadTest {
    private final Scene scene = new Scene("dp=2");
    private final Log others = scene.log(scene.memory());
    private Producer producer;

    @BeforeEach
    void open() {
        say(new Alter(List.of(new MaxLead(3))));
        producer = scene.producer("p");
    }

    @AfterEach
    void everythingIsFreed() {
        Thread.interrupted();
        scene.close();
    }

    private void say(Entry entry) {
        others.append(List.of(entry));
    }

    private void attach(String job, long step) {
        say(new AttachJob(job, Entries.id(job.hashCode()), step, 1));
    }

    private void checkpoint(String job, long step) {
        say(
                new Checkpoint(
                        job,
                        Entries.id(job.hashCode()),
                        "",
                        "at" + step,
                        step,
                        Bytes.digestOf(Bytes.sha256()),
                        false));
    }

    private void publish(int first, int end) {
        for (int i = first; i < end; i++) {
            scene.publish(producer, i);
        }
    }

    @Test
    void producerThatIsTooFarAheadWaitsUntilTheJobHasMoved() {
        attach("j", 0);
        publish(0, 3);
        Instant before = scene.clock().instant();
        scene.atNextPause(() -> checkpoint("j", 1));

        publish(3, 4);

        assertThat(scene.truth().nextStep()).isEqualTo(4);
        assertThat(Duration.between(before, scene.clock().instant()))
                .as("it goes on at once")
                .isLessThan(Duration.ofMillis(50));
    }

    @Test
    void slowestOfTheJobsCounts() {
        attach("fast", 0);
        attach("slow", 0);
        publish(0, 3);
        checkpoint("fast", 3);
        scene.atNextPause(() -> checkpoint("slow", 1));

        publish(3, 4);

        assertThat(scene.truth().nextStep()).isEqualTo(4);
    }

    @Test
    void whoIsWaitedForIsToldToWhoInterrupts() {
        attach("j", 0);
        publish(0, 3);
        scene.atNextPause(() -> Thread.currentThread().interrupt());

        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(() -> producer.newBatch())
                .withMessage(
                        "Cannot go on publishing to train.numbers: interrupted while waiting; producer"
                                + " p of train.numbers is 3 steps ahead of job j, which is at the"
                                + " attachment at step 0; max-lead is 3; open the producer again to"
                                + " go on");
    }

    @Test
    void oneWaitAfterTheOtherIsToldOnce() {
        attach("j", 0);
        List<String> told = new ArrayList<>();
        Lead lead =
                new Lead(others, "p", scene.truth().producer("p").orElseThrow().epoch(), told::add);
        publish(0, 3);
        for (int step = 1; step <= 3; step++) {
            int moved = step;
            waitUntil(lead, () -> checkpoint("j", moved));
            publish(2 + step, 3 + step);
        }
        assertThat(told).singleElement().asString().startsWith("producer p of train.numbers is 3");

        checkpoint("j", 6);
        waitUntil(lead, () -> {});
        publish(6, 9);
        waitUntil(lead, () -> checkpoint("j", 9));
        assertThat(told).as("after a batch that did not wait").hasSize(2);

        publish(9, 12);
        attach("k", 9);
        checkpoint("j", 10);
        waitUntil(lead, () -> checkpoint("k", 12));
        assertThat(told).as("another job").hasSize(3).last().asString().contains("of job k");
    }

    private void waitUntil(Lead lead, Runnable moved) {
        others.catchUp();
        scene.atNextPause(moved);
        lead.await(0, () -> {});
    }

    @Test
    void whoIsNotTooFarAheadAsksForNothing() {
        attach("j", 0);
        publish(0, 2);
        Requests before = scene.requests();

        producer.newBatch().close();

        assertThat(scene.requests().minus(before).total()).isZero();
    }

    /** Else the job would wait for steps behind them, and the producer for the job. */
    @Test
    void stepsThatTheJobPassesOverHoldNobodyUp() {
        attach("j", 0);
        say(new Skip(new StepRange(0, 5), "a spike"));
        say(new StartSession("j", Entries.id("j".hashCode()), "s", ""));

        publish(0, 8);

        assertThat(scene.truth().nextStep()).isEqualTo(8);
    }

    @Test
    void withoutAJobNobodyIsWaitedFor() {
        publish(0, 5);
        attach("j", 0);
        say(new DetachJob("j", Entries.id("j".hashCode())));
        publish(5, 7);

        assertThat(scene.truth().nextStep()).isEqualTo(7);
    }

    @Test
    void settingThatIsAlteredEndsTheWait() {
        attach("j", 0);
        publish(0, 3);
        scene.atNextPause(() -> say(new Alter(List.of(new MaxLead(0)))));

        publish(3, 9);

        assertThat(scene.truth().nextStep()).isEqualTo(9);
    }

    /** The job may be waiting for just these. */
    @Test
    void whatIsInFlightIsPublishedBeforeTheWait() {
        attach("j", 0);
        Producer late = scene.producer("q", ProducerLimits.DEFAULT, new HandExecutor());
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            steps.add(scene.submit(late, i));
        }
        assertThat(steps).noneMatch(CompletableFuture::isDone);
        scene.atNextPause(
                () -> {
                    assertThat(scene.truth().nextStep()).isEqualTo(3);
                    checkpoint("j", 2);
                });

        steps.add(scene.submit(late, 3));
        late.flush();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void producerThatWasReplacedDoesNotWait() {
        attach("j", 0);
        publish(0, 3);
        scene.atNextPause(() -> say(Entries.opening("p", 99)));

        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> publish(3, 4));
    }

    @Test
    void sealedDatasetIsNotWaitedFor() {
        attach("j", 0);
        publish(0, 3);
        scene.atNextPause(() -> say(Entries.seal()));

        assertThatExceptionOfType(FencedException.class).isThrownBy(() -> publish(3, 4));
    }
}
