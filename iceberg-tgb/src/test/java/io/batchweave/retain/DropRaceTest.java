package io.batchweave.retain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.Tombstone;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Layout;
import io.batchweave.produce.Producer;
import io.batchweave.retain.Drop.IfUnreadable;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Scene;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes between the moments of a drop. */
@Tag("DROP-2")
class DropRaceTest {
    private static final Layout LAYOUT = new Layout(Scene.NAME);

    private final Scene scene = new Scene("dp=2");

    @AfterEach
    void close() {
        scene.close();
    }

    private Dropped dropped(ObjectStore way) {
        return new Drop(way, Scene.NAME, scene.clock().world(77))
                .run(IfUnreadable.REFUSE, objects -> {});
    }

    private void published() {
        Producer producer = scene.producer("p");
        scene.publish(producer, 0);
        scene.publish(producer, 1);
    }

    @Test
    void jobThatAttachesWhileWeSealKeepsIt() {
        published();
        AtomicInteger creates = new AtomicInteger();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.CREATE && creates.incrementAndGet() == 1) {
                        new Jobs(scene.log(scene.memory())).attach("j", 0, 1);
                    }
                });

        JobStage.assertRefused(
                InvalidRequestException.class,
                () -> dropped(scene.store()),
                "a job is attached to it: j; the dataset is sealed by now, and its producers have"
                        + " ended");

        assertThat(Tombstone.of(Scene.NAME, scene.memory())).isEmpty();
        assertThat(scene.payload()).hasSize(2);
    }

    @Test
    void jobThatAttachedToASealedDatasetKeepsIt() {
        scene.log(scene.memory()).append(List.of(new Seal(SealCondition.NONE)));
        AtomicInteger reads = new AtomicInteger();
        scene.watch(
                call -> {
                    if (call.key().equals(LAYOUT.commit(2)) && reads.incrementAndGet() == 2) {
                        var unused = new Jobs(scene.log(scene.memory())).attach("j", 0, 1);
                    }
                });

        JobStage.assertRefused(
                InvalidRequestException.class,
                () -> dropped(scene.store()),
                "a job is attached to it: j");
        assertThat(Tombstone.of(Scene.NAME, scene.memory())).isEmpty();
    }

    @Test
    void ofTwoWhoDropBothSucceed() {
        published();
        AtomicInteger creates = new AtomicInteger();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.CREATE && creates.incrementAndGet() == 1) {
                        dropped(scene.memory());
                    }
                });

        Dropped ours = dropped(scene.store());

        assertThat(Tombstone.of(Scene.NAME, scene.memory()).orElseThrow().at())
                .isEqualTo(ours.tombstone().at());
    }

    @Test
    void sweepBesideADropIsToldAndPacksNothing() {
        published();
        Log sweeper = scene.log();
        scene.watch(
                call -> {
                    if (call.kind() == Kind.LIST && call.key().equals(LAYOUT.boundaries())) {
                        scene.watch(next -> {});
                        dropped(scene.memory());
                    }
                });

        assertThatThrownBy(sweeper::trim)
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("it was dropped at ");
        assertThat(scene.memory().list(LAYOUT.root(), "").folders()).doesNotContain("packs");
    }
}
