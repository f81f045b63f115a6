package io.batchweave.retain;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.StepRange;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.JobState;
import io.batchweave.state.Retention;
import io.batchweave.testing.Scene;
import java.util.List;

/** A dataset of ten steps, and the job {@code j} as several processes have it. */
final class JobStage implements AutoCloseable {
    static final Bytes OTHER = Bytes.fromHex("0e".repeat(32));

    private final Scene scene = new Scene("dp=2");

    JobStage() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < 10; i++) {
            scene.publish(producer, i);
        }
    }

    Scene scene() {
        return scene;
    }

    Job attached() {
        return new Jobs(scene.log()).attach("j", 0, 3);
    }

    /** The same job, as another process has it. */
    Job another() {
        return new Jobs(scene.log()).open("j");
    }

    JobState truth() {
        return scene.truth().job("j").orElseThrow();
    }

    long pin() {
        return Retention.lowestPin(scene.truth()).orElseThrow().step();
    }

    static Saved saved(Job job, String session, long nextStep) {
        return new Saved(
                session, "at" + nextStep, nextStep, job.given(nextStep), Direction.FORWARD);
    }

    void skip(long first, long last) {
        scene.log(scene.memory()).append(List.of(new Skip(new StepRange(first, last), "spike")));
    }

    static <E extends BatchWeaveException> void assertRefused(
            Class<E> kind, Runnable action, String why) {
        assertThatExceptionOfType(kind)
                .isThrownBy(action::run)
                .withMessageStartingWith("Cannot ")
                .withMessageContaining(why);
    }

    /** Fails if memory of Arrow is still in use. */
    @Override
    public void close() {
        scene.close();
    }
}
