package io.batchweave.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Datasets;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Layout;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Drop.IfUnreadable;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dataset that is dropped is gone, for those who ask for it and for those who had it open. */
@Tag("DROP-1")
@Tag("DROP-2")
class DropTest {
    private static final Layout LAYOUT = new Layout(Scene.NAME);
    private static final Duration LONG = Duration.ofHours(2);

    private final Scene scene = new Scene("dp=2");

    @AfterEach
    void close() {
        scene.close();
    }

    private static Drop drop(Scene scene, ObjectStore store) {
        return new Drop(store, Scene.NAME, scene.clock().world(77));
    }

    private Dropped dropped() {
        return drop(scene, scene.memory()).run(IfUnreadable.REFUSE, objects -> {});
    }

    private Producer published(int batches) {
        Producer producer = scene.producer("p");
        for (int number = 0; number < batches; number++) {
            scene.publish(producer, number);
        }
        return producer;
    }

    private static List<String> left(Scene scene) {
        List<String> keys = new ArrayList<>();
        scene.memory()
                .listBelow(LAYOUT.root(), items -> items.forEach(item -> keys.add(item.key())));
        return keys;
    }

    @Test
    void allGoesButTheWordThatItIsGone() {
        published(5);
        long objects = drop(scene, scene.memory()).objects().objects();

        Dropped first = dropped();
        scene.clock().move(LONG);
        Dropped second = dropped();

        assertThat(first.deleted().objects()).isPositive();
        assertThat(first.deleted().objects() + second.deleted().objects())
                .as("and the seal")
                .isEqualTo(objects + 1);
        assertThat(left(scene))
                .containsExactly(LAYOUT.boundary(999_999_999_999_999_999L, first.tombstone().at()));
        assertThat(Datasets.in(scene.memory())).isEmpty();
    }

    @Test
    @Tag("DROP-3")
    void commitsStayUntilWhoeverSleptMustLookForBoundaries() {
        published(2);

        Dropped first = dropped();
        scene.clock().move(Duration.between(scene.clock().instant(), first.tombstone().ripeAt()));
        scene.clock().move(Duration.ofSeconds(-1));
        Dropped early = dropped();
        scene.clock().move(Duration.ofSeconds(1));
        Dropped ripe = dropped();

        assertThat(early.deleted().objects()).isZero();
        assertThat(early.kept()).isEqualTo(first.kept());
        assertThat(ripe.deleted()).isEqualTo(first.kept());
        assertThat(ripe.kept().objects()).isZero();
    }

    @Test
    void datasetStaysWhileAJobIsAttached() {
        published(3);
        new Jobs(scene.log()).attach("j", 0, 1);
        List<String> before = left(scene);

        JobStage.assertRefused(
                InvalidRequestException.class, this::dropped, "a job is attached to it: j");

        assertThat(left(scene)).isEqualTo(before);
        new Jobs(scene.log()).detach("j");
        assertThat(dropped().deleted().objects()).isPositive();
    }

    /** It finds the seal as long as it may pass over looks for boundaries; then it must look. */
    @ParameterizedTest
    @ValueSource(ints = {0, 39, 41, 59, 60, 61, 300})
    @Tag("DROP-3")
    void producerThatSleptIsTold(int minutes) {
        Producer producer = published(2);

        dropped();
        scene.clock().move(Duration.ofMinutes(minutes));
        dropped();

        assertThatThrownBy(() -> scene.publish(producer, 2))
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("it was dropped at ");
    }

    @Test
    @Tag("DROP-3")
    void jobThatAttachesToASealedDatasetAfterTheDropIsTold() {
        scene.log(scene.memory()).append(List.of(new Seal(SealCondition.NONE)));
        Jobs jobs = new Jobs(scene.log());

        dropped();

        assertThatThrownBy(() -> jobs.attach("j", 0, 1))
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("it was dropped at ");
    }

    @Test
    void whoeverHasItOpenIsToldWhenItsCommitsAreGone() {
        published(2);
        Log open = scene.log();

        Dropped first = dropped();
        scene.clock().move(LONG);
        dropped();

        JobStage.assertRefused(
                FencedException.class,
                open::catchUp,
                "it was dropped at " + first.tombstone().at());
    }

    @Test
    void nobodyOpensItOrMakesItAnew() {
        dropped();

        for (int i = 0; i < 2; i++) {
            JobStage.assertRefused(FencedException.class, scene::log, "train.numbers in ");
            JobStage.assertRefused(FencedException.class, this::created, "it was dropped at ");
            scene.clock().move(LONG);
            dropped();
        }
    }

    private void created() {
        var unused =
                Log.create(
                        scene.store(),
                        Scene.NAME,
                        Numbers.dataset("dp=2"),
                        scene.clock().world(78),
                        LogLimits.DEFAULT);
    }

    @Test
    void creatorThatSleptThroughALifeOfItIsTold() {
        dropped();
        scene.clock().move(LONG);
        dropped();
        scene.memory().delete(left(scene));
        scene.watch(
                call -> {
                    if (call.kind() == Kind.CREATE && call.key().equals(LAYOUT.commit(0))) {
                        scene.watch(next -> {});
                        var unused =
                                Log.create(
                                        scene.memory(),
                                        Scene.NAME,
                                        Numbers.dataset("dp=4"),
                                        scene.clock().world(79),
                                        LogLimits.DEFAULT);
                        dropped();
                        scene.clock().move(LONG);
                        dropped();
                    }
                });

        JobStage.assertRefused(FencedException.class, this::created, "it was dropped at ");
    }

    @Test
    void wordThatTheStoreDoesNotConfirmDeletesNothing() {
        published(2);
        scene.log().append(List.of(new Seal(SealCondition.NONE)));
        List<String> before = left(scene);
        scene.next(Kind.CREATE, Fault.ANSWER_LOST);

        JobStage.assertRefused(
                UnavailableException.class,
                () -> drop(scene, scene.store()).run(IfUnreadable.REFUSE, objects -> {}),
                "did not confirm");

        assertThat(left(scene)).containsAll(before);
        assertThat(dropped().deleted().objects()).isPositive();
    }

    @Test
    void killedAtAnyRequestTheNextOneDoesTheRest() {
        long requests = 0;
        for (int kill = 1; requests == 0; kill++) {
            try (Scene other = new Scene("dp=2")) {
                Producer producer = other.producer("p");
                for (int number = 0; number < 3; number++) {
                    other.publish(producer, number);
                }
                AtomicInteger calls = new AtomicInteger(kill);
                other.watch(
                        call -> {
                            if (calls.decrementAndGet() == 0) {
                                throw new IllegalStateException("killed");
                            }
                        });
                try {
                    drop(other, other.store()).run(IfUnreadable.REFUSE, objects -> {});
                    requests = kill;
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("killed");
                }
                drop(other, other.memory()).run(IfUnreadable.REFUSE, objects -> {});
                other.clock().move(LONG);
                drop(other, other.memory()).run(IfUnreadable.REFUSE, objects -> {});

                assertThat(left(other))
                        .as("killed at request %d", kill)
                        .allMatch(key -> key.startsWith(LAYOUT.boundaries()))
                        .isNotEmpty();
            }
        }
        assertThat(requests).isGreaterThan(10);
    }

    @Test
    void howeverTheStoreAnswersItIsGoneInTheEnd() {
        for (int seed = 0; seed < 100; seed++) {
            FaultPlan faults = FaultPlan.random(new SplittableRandom(seed), 0.3);
            try (Scene other = new Scene(faults, "dp=2")) {
                Producer producer =
                        Producer.open(
                                other.log(other.memory()),
                                "p",
                                ProducerLimits.DEFAULT,
                                Runnable::run);
                other.publish(producer, 0);
                dropUntilItIsDone(other);
                other.applyLate();
                other.clock().move(LONG);
                dropUntilItIsDone(other);

                assertThat(left(other))
                        .as("seed %d", seed)
                        .allMatch(key -> key.startsWith(LAYOUT.boundaries()))
                        .isNotEmpty();
                assertThatThrownBy(() -> other.publish(producer, 1))
                        .as("seed %d", seed)
                        .isInstanceOf(FencedException.class);
            }
        }
    }

    private static void dropUntilItIsDone(Scene scene) {
        for (boolean done = false; !done; ) {
            try {
                drop(scene, scene.store()).run(IfUnreadable.REFUSE, objects -> {});
                done = true;
            } catch (BatchWeaveException e) {
                assertThat(e).hasMessageStartingWith("Cannot ");
            }
        }
    }

    @Test
    void datasetThatCannotBeReadGoesOnlyIfThatIsWanted() {
        published(1);
        scene.memory().delete(List.of(LAYOUT.commit(0)));
        List<String> before = left(scene);

        JobStage.assertRefused(CorruptException.class, this::dropped, "is missing");
        assertThat(left(scene)).isEqualTo(before);

        Dropped dropped = drop(scene, scene.memory()).run(IfUnreadable.DROP, objects -> {});
        assertThat(dropped.deleted().objects()).isPositive();
        assertThat(dropped.tombstone().at()).isEqualTo(scene.clock().instant());
        JobStage.assertRefused(FencedException.class, scene::log, "it was dropped at ");
    }

    @Test
    void nothingIsLeftToDropOfWhatNeverWas() {
        scene.memory().delete(left(scene));

        JobStage.assertRefused(InvalidRequestException.class, this::dropped, "there is none");
    }
}
