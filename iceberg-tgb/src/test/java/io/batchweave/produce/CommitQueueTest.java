package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Batches that queue up for the log. */
class CommitQueueTest {
    private final CommitStage stage = new CommitStage();

    @AfterEach
    void everythingIsFreed() {
        stage.close();
    }

    @Test
    void batchesThatQueueUpGoInOneCommit() {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 3);
        assertThat(stage.scene.payload()).as("nothing is visible yet").isEmpty();

        stage.executor.runAll();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L, 2L);
        assertThat(stage.batchesPerCommit()).containsExactly(0, 3);
        assertThat(stage.scene.requests().creates()).as("the opening and one commit").isEqualTo(2);
        stage.assertSteps(3);
    }

    @Test
    void batchesThatFinishWhileACommitIsUnderWayRideAlongInTheNext() {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        stage.duringTheNextCreate(() -> steps.addAll(stage.submit(producer, 1, 3)));

        stage.executor.runNext();

        assertThat(steps).hasSize(4).allMatch(CompletableFuture::isDone);
        assertThat(stage.batchesPerCommit()).containsExactly(0, 1, 3);
        stage.assertSteps(4);
        stage.executor.runAll();
        assertThat(stage.batchesPerCommit()).as("later tasks have nothing to do").hasSize(3);
    }

    /** An executor of many threads must not let a later batch overtake: that would be a gap. */
    @Test
    void oneCommitIsUnderWayAtATime() {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        stage.duringTheNextCreate(
                () -> {
                    steps.addAll(stage.submit(producer, 1, 1));
                    stage.executor.runAll();
                    assertThat(steps).noneMatch(CompletableFuture::isDone);
                });

        stage.executor.runNext();

        assertThat(steps).extracting(CompletableFuture::join).containsExactly(0L, 1L);
        assertThat(stage.batchesPerCommit()).containsExactly(0, 1, 1);
    }

    @Test
    @Tag("PRODUCE-4")
    void batchesThatWaitFailWithTheCommitBeforeThem() {
        Producer producer = stage.producer(8);
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 1);
        stage.duringTheNextCreate(
                () -> {
                    steps.addAll(stage.submit(producer, 1, 2));
                    throw new UnavailableException("planned");
                });

        stage.executor.runAll();

        assertThat(steps).hasSize(3).allMatch(CompletableFuture::isCompletedExceptionally);
        stage.assertSteps(0);
        assertThat(stage.batchesPerCommit()).as("the opening alone").hasSize(1);
    }

    @Test
    @Tag("LOG-7")
    void aCommitIsBoundedInEntries() {
        Producer producer = stage.producer(5_000);
        stage.submit(producer, 0, Commit.ENTRIES_MAX + 3);

        stage.executor.runAll();

        assertThat(stage.batchesPerCommit()).containsExactly(0, Commit.ENTRIES_MAX, 3);
    }

    @Test
    @Tag("LOG-7")
    void aCommitIsBoundedInBytes() {
        Bytes longProgress = Bytes.copyOf(new byte[Entry.PROGRESS_BYTES_MAX]);
        Producer producer = stage.producer(100);
        for (int i = 0; i < 100; i++) {
            try (BatchWriter batch = producer.newBatch()) {
                stage.scene.write(batch, i, 2);
                var unused = batch.publish(longProgress, List.of());
            }
        }

        stage.executor.runAll();

        assertThat(stage.batchesPerCommit()).containsExactly(0, 64, 36);
        stage.assertSteps(100);
    }

    @Test
    void limitsMakeSense() {
        assertThat(new ProducerLimits(1, 1).batchesInFlightMax()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new ProducerLimits(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ProducerLimits(1, 0));
    }

    @Test
    void aBatchThatTheExecutorDoesNotTakeIsCommittedByWhoPublishesIt() {
        for (Throwable cause :
                List.of(
                        new RejectedExecutionException("shut down"),
                        new OutOfMemoryError("unable to create native thread"))) {
            Producer producer =
                    stage.scene.producer("p", ProducerLimits.DEFAULT, task -> failWith(cause));
            long first = stage.scene.truth().nextStep();

            assertThat(stage.submit(producer, first, 2)).allMatch(CompletableFuture::isDone);
        }
        stage.assertSteps(4);
    }

    @Test
    void whoAsksIsToldOfEachCommitAndCannotSpoilIt() {
        List<Integer> told = new ArrayList<>();
        Producer producer =
                Producer.open(
                        stage.scene.log(),
                        "p",
                        ProducerLimits.DEFAULT,
                        stage.executor,
                        () -> {
                            told.add(stage.batchesPerCommit().size());
                            throw new IllegalStateException("planned");
                        });
        assertThat(told).as("the opening has no batch").isEmpty();
        List<CompletableFuture<Long>> steps = stage.submit(producer, 0, 3);
        stage.executor.runAll();
        steps.addAll(stage.submit(producer, 3, 1));
        producer.flush();

        assertThat(steps).hasSize(4).allMatch(step -> !step.isCompletedExceptionally());
        assertThat(stage.batchesPerCommit()).containsExactly(0, 3, 1);
        assertThat(told).as("each when it is in").containsExactly(2, 3);
        stage.assertSteps(4);
    }

    @Test
    void nobodyIsToldOfACommitThatFailed() {
        List<String> told = new ArrayList<>();
        Producer producer =
                Producer.open(
                        stage.scene.log(),
                        "p",
                        ProducerLimits.DEFAULT,
                        stage.executor,
                        () -> told.add("a commit"));
        stage.duringTheNextCreate(
                () -> {
                    throw new UnavailableException("planned");
                });
        stage.submit(producer, 0, 1);
        stage.executor.runAll();

        stage.assertSteps(0);
        assertThat(told).isEmpty();
    }

    private static void failWith(Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) cause;
    }
}
