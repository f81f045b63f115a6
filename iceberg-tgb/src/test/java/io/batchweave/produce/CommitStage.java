package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.state.State;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** One producer whose commits begin when the test says so, and the batches it hands over. */
final class CommitStage implements AutoCloseable {
    final Scene scene = new Scene("dp=2");
    final HandExecutor executor = new HandExecutor();
    private final Queue<Runnable> atCreates = new ArrayDeque<>();

    /** Opens the producer; its commits begin when the executor is told so. */
    Producer producer(int batchesInFlightMax) {
        return scene.producer("p", new ProducerLimits(batchesInFlightMax, 1 << 20), executor);
    }

    private void runAtCreate(Call call) {
        Runnable action = call.kind() == Kind.CREATE ? atCreates.poll() : null;
        if (action != null) {
            action.run();
        }
    }

    /** Does something while the next object is created. */
    void duringTheNextCreate(Runnable action) {
        scene.watch(this::runAtCreate);
        atCreates.add(action);
    }

    /** Hands over batches of consecutive numbers. */
    List<CompletableFuture<Long>> submit(Producer producer, long first, int count) {
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(scene.submit(producer, first + i));
        }
        return steps;
    }

    /** How many batches each commit holds, after the one that made the dataset. */
    List<Integer> batchesPerCommit() {
        return scene.commits().stream()
                .map(
                        commit ->
                                (int)
                                        commit.entries().stream()
                                                .filter(CommitStage::isPublish)
                                                .count())
                .toList();
    }

    private static boolean isPublish(Entry entry) {
        return entry instanceof Publish;
    }

    /** Fails unless the steps are the batches 0, 1, 2, ... of one producer. */
    void assertSteps(int count) {
        State state = scene.truth();
        assertThat(state.nextStep()).isEqualTo(count);
        for (int step = 0; step < count; step++) {
            assertThat(state.step(step).claim().sequence()).isEqualTo(step);
            scene.assertHolds(state.step(step), step);
        }
    }

    @Override
    public void close() {
        scene.close();
    }
}
