package io.batchweave.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Claim;
import io.batchweave.model.Entry;
import io.batchweave.model.Layout;
import io.batchweave.model.Setting;
import io.batchweave.produce.Producer;
import io.batchweave.state.State;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.Scene;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sweep deletes what nothing can need, all of it, and nothing else. */
@Tag("SWEEP-1")
@Tag("SWEEP-2")
@Tag("SWEEP-4")
class SweepTest {
    private static final Layout LAYOUT = new Layout(Scene.NAME);

    private final Scene scene = new Scene("dp=2");
    private final Producer producer = scene.producer("p");

    @AfterEach
    void close() {
        scene.close();
    }

    private void publish(int from, int to) {
        for (int number = from; number < to; number++) {
            scene.publish(producer, number);
        }
    }

    private Swept sweep() {
        return new Sweep(scene.log(), objects -> {}).run();
    }

    private Job jobAt(long step) {
        Job job = new Jobs(scene.log()).attach("j", 0, 1);
        job.start("s");
        job.checkpoint(JobStage.saved(job, "s", step));
        return job;
    }

    private List<String> payloadOf(long from, long to) {
        List<String> keys = new ArrayList<>();
        for (long sequence = from; sequence < to; sequence++) {
            keys.add(LAYOUT.part(new Claim("p", epoch(), sequence), 0));
        }
        return keys;
    }

    private long epoch() {
        return scene.truth().producer("p").orElseThrow().epoch();
    }

    @Test
    void datasetThatNoJobEverReadKeepsEverything() {
        publish(0, 5);

        assertThat(sweep().isNothing()).isTrue();
        assertThat(scene.payload()).isEqualTo(payloadOf(0, 5));
        assertThat(scene.truth().lowStep()).isZero();
    }

    @Test
    @Tag("SWEEP-3")
    void payloadBelowTheOldestCheckpointGoes() {
        publish(0, 10);
        jobAt(6);
        Swept planned = new Sweep(scene.log(), objects -> {}).plan();
        State before = scene.truth();

        assertThat(scene.payload()).hasSize(10);
        Swept swept = sweep();

        assertThat(swept).isEqualTo(planned);
        assertThat(swept.lowStep()).isEqualTo(6);
        assertThat(swept.steps()).isEqualTo(6);
        assertThat(swept.payload().bytes())
                .isEqualTo(
                        before.step(0).batch().bytes()
                                + before.step(1).batch().bytes()
                                + 4 * before.step(2).batch().bytes());
        assertThat(scene.payload()).isEqualTo(payloadOf(6, 10));
        assertThat(scene.truth().step(3).receipt()).isEqualTo(before.step(3).receipt());
        assertThat(sweep().steps()).isZero();
    }

    @Test
    void policiesKeepMore() {
        publish(0, 10);
        jobAt(9);
        scene.log().append(List.of(new Entry.Alter(List.of(new Setting.KeepSteps(5)))));
        assertThat(sweep().lowStep()).isEqualTo(5);
        scene.log()
                .append(
                        List.of(
                                new Entry.Alter(
                                        List.of(
                                                new Setting.KeepSteps(0),
                                                new Setting.KeepFor(
                                                        Duration.ofHours(1).toMillis())))));
        assertThat(sweep().lowStep()).isEqualTo(5);
        scene.clock().move(Duration.ofHours(2));
        assertThat(sweep().lowStep()).isEqualTo(9);
    }

    /** It says so first, so whoever is killed between the two has lost nothing. */
    @Test
    void nothingIsDeletedBeforeTheLogSaysSo() {
        publish(0, 10);
        jobAt(6);
        List<String> deleted = new ArrayList<>();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.DELETE) {
                        deleted.add("at low step " + scene.truth().lowStep());
                    }
                });
        sweep();

        assertThat(deleted).isNotEmpty().allMatch("at low step 6"::equals);
    }

    @Test
    void sweepThatWasStoppedIsEndedByTheNext() {
        publish(0, 10);
        jobAt(6);
        scene.next(Kind.DELETE, Fault.REQUEST_LOST);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(this::sweep);
        assertThat(scene.truth().lowStep()).isEqualTo(6);
        assertThat(scene.payload()).hasSize(10);

        Swept next = sweep();

        assertThat(next.steps()).isZero();
        assertThat(next.again()).isEqualTo(6);
        assertThat(scene.payload()).isEqualTo(payloadOf(6, 10));
    }

    /** A second decision does not hide what the first one left. */
    @Test
    void whatASweepLeftIsDeletedBeforeTheLowStepMovesOn() {
        publish(0, 10);
        Job job = jobAt(4);
        scene.next(Kind.DELETE, Fault.REQUEST_LOST);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(this::sweep);
        job.checkpoint(JobStage.saved(job, "s", 8));

        Swept next = sweep();

        assertThat(next.steps()).isEqualTo(4);
        assertThat(scene.payload()).isEqualTo(payloadOf(8, 10));
        assertThat(scene.truth().kept().sweptStep()).isEqualTo(8);
    }

    @Test
    @Tag("SWEEP-6")
    void onAnyErrorNothingMoreIsDeleted() {
        publish(0, 10);
        String orphan = LAYOUT.part(new Claim("p", epoch(), 10), 0);
        scene.memory().create(orphan, ByteBuffer.allocate(100));
        scene.producer("p");
        jobAt(6);

        Sweep sweep = new Sweep(scene.log(), deleted -> {});
        scene.next(Kind.READ, Fault.UNAVAILABLE);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(sweep::run);
        assertThat(scene.payload()).hasSize(11);
        scene.next(Kind.LIST, Fault.NONE, Fault.UNAVAILABLE);
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(sweep::run);
        assertThat(scene.payload()).hasSize(5).contains(orphan);
        sweep.run();
        assertThat(scene.payload()).hasSize(4).doesNotContain(orphan);
    }

    @Test
    @Tag("SWEEP-5")
    void orphansGoWhenTheirProducerHasOpenedAgainAndNeverBefore() {
        publish(0, 3);
        String orphan = LAYOUT.part(new Claim("p", epoch(), 3), 0);
        String second = LAYOUT.part(new Claim("p", epoch(), 4), 1);
        scene.memory().create(orphan, ByteBuffer.allocate(100));
        scene.memory().create(second, ByteBuffer.allocate(10));
        String unknown = LAYOUT.part(new Claim("q", 7, 0), 0);
        scene.memory().create(unknown, ByteBuffer.allocate(100));
        sweep();
        assertThat(scene.payload()).hasSize(6).contains(orphan, second, unknown);

        scene.producer("p");
        String live = LAYOUT.part(new Claim("p", epoch(), 3), 0);
        scene.memory().create(live, ByteBuffer.allocate(100));
        Swept swept = sweep();

        assertThat(swept.left()).isEqualTo(new Swept.Found(2, 110));
        assertThat(scene.payload())
                .hasSize(5)
                .contains(live, unknown)
                .doesNotContain(orphan, second);
    }

    @Test
    @Tag("SWEEP-5")
    void ofAnEpochWhoseStepsAreSweptAllGoes() {
        publish(0, 3);
        long first = epoch();
        Producer again = scene.producer("p");
        scene.publish(again, 3);
        jobAt(4);
        sweep();
        String late = LAYOUT.part(new Claim("p", first, 1), 0);
        scene.memory().create(late, ByteBuffer.allocate(100));
        scene.producer("p");

        sweep();

        assertThat(scene.payload()).isEmpty();
    }

    @Test
    void acknowledgementsOfSessionsThatAreOverGo() {
        publish(0, 10);
        Job job = new Jobs(scene.log()).attach("j", 0, 1);
        job.start("one");
        job.acknowledge(JobStage.saved(job, "one", 5), new Shard(0, 2));
        job.start("two");
        job.acknowledge(JobStage.saved(job, "two", 5), new Shard(0, 2));

        assertThat(sweep().left().objects()).isEqualTo(1);
        job.acknowledge(JobStage.saved(job, "two", 5), new Shard(1, 2));
        assertThat(JobStage.saved(job, "two", 5).nextStep())
                .isEqualTo(job.state().pin().nextStep());
        job.detach();
        assertThat(sweep().left().objects()).isEqualTo(2);
    }

    /** The sweep looked into the log when the job was detached, and takes its time. */
    @Test
    void acknowledgementsOfASessionThatIsYoungerThanTheSweepStay() {
        publish(0, 10);
        new Jobs(scene.log()).attach("k", 0, 1);
        new Jobs(scene.log()).attach("j", 0, 1).detach();
        AtomicBoolean hasAttached = new AtomicBoolean();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.LIST
                            && call.key().endsWith("acks")
                            && hasAttached.compareAndSet(false, true)) {
                        Job again = new Jobs(scene.log(scene.memory())).attach("j", 0, 1);
                        again.start("one");
                        again.acknowledge(JobStage.saved(again, "one", 5), new Shard(0, 2));
                    }
                });

        sweep();

        assertThat(hasAttached).isTrue();
        Job job = new Jobs(scene.log()).open("j");
        assertThat(job.acknowledge(JobStage.saved(job, "one", 5), new Shard(1, 2)))
                .isInstanceOf(Acknowledged.Complete.class);
    }

    @Test
    void requestsOfASweepDoNotGrowWithWhatLives() {
        publish(0, 10);
        jobAt(5);
        long few = requestsOfASweep();
        publish(10, 300);
        long many = requestsOfASweep();

        assertThat(many).isLessThanOrEqualTo(few);
    }

    private long requestsOfASweep() {
        Sweep sweep = new Sweep(scene.log(), objects -> {});
        long before = scene.requests().total();
        sweep.run();
        return scene.requests().total() - before;
    }
}
