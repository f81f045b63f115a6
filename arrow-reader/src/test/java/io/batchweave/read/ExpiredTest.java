package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Drop;
import io.batchweave.retain.Drop.IfUnreadable;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.state.Session;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps whose payload is swept are told from damage, and from all that is kept. */
@Tag("READ-6")
@Tag("SWEEP-1")
class ExpiredTest {
    private static final String EXPIRED =
            "Cannot read step %d of %s: its payload is swept; the first step that is kept"
                    + " is %d; start there, or at a checkpoint that a job keeps";

    private final Scene scene = new Scene("dp=4");
    private Job job;

    @BeforeEach
    void publishAndAttach() {
        Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
        for (int i = 0; i < 10; i++) {
            scene.publish(producer, i);
        }
        job = new Jobs(scene.log()).attach("j", 8, 3);
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    /** Gives payload up, and deletes it. */
    private void sweep(long lowStep) {
        decide(lowStep);
        for (long step = 0; step < lowStep; step++) {
            delete(step);
        }
    }

    private void decide(long lowStep) {
        Log log = scene.log(scene.memory());
        log.append(List.of(new Sweep(lowStep, log.state().lowStep())));
    }

    private void delete(long step) {
        Log log = scene.log(scene.memory());
        scene.memory().delete(List.of(log.layout().part(log.step(step).claim(), 0)));
    }

    private static void assertExpired(ThrowingCallable reading, long step, long kept) {
        assertThatExceptionOfType(ExpiredException.class)
                .isThrownBy(reading)
                .withMessage(EXPIRED.formatted(step, Scene.NAME, kept))
                .extracting(ExpiredException::firstKept)
                .isEqualTo(kept);
    }

    private Cursor cursor(long step) {
        return Cursor.before(step, scene.log());
    }

    @Test
    void readerDoesNotBeginBelowTheLowStep() {
        sweep(6);

        assertExpired(() -> Rank.at(scene, "dp=0/1", 5), 5, 6);
        try (Rank rank = Rank.at(scene, "dp=0/1", 6)) {
            assertThat(rank.read().step()).isEqualTo(6);
        }
    }

    /** It may be there still, and be gone at any time. */
    @Test
    void stepThatIsGivenUpIsExpiredThoughItsPayloadIsThere() {
        decide(6);

        assertExpired(() -> Rank.at(scene, "dp=0/1", 0), 0, 6);
    }

    @Test
    void cursorBelowTheLowStepIsExpired() {
        Cursor swept = cursor(5);
        Cursor kept = cursor(6);
        sweep(6);

        assertExpired(() -> Rank.resumed(scene, "dp=0/1", swept), 5, 6);
        try (Rank rank = Rank.resumed(scene, "dp=0/1", kept)) {
            assertThat(rank.read().step()).isEqualTo(6);
        }
    }

    /** A receipt needs no payload. */
    @Test
    void cursorOfAnotherHistoryIsStillToldFromAnExpiredOne() {
        sweep(6);
        Cursor other = new Cursor(cursor(5).datasetId(), 5, Bytes.fromHex("ab".repeat(32)));

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Rank.resumed(scene, "dp=0/1", other))
                .withMessageContaining("it belongs to another history");
    }

    @Test
    void sessionOfADetachedJobIsExpiredWhereItStarted() {
        Session session = job.start("s");
        new Jobs(scene.log()).detach("j");
        sweep(10);

        Log log = scene.log();
        assertExpired(
                () ->
                        StepReader.open(
                                log,
                                Place.whole(log.state().dataset().grid()),
                                session,
                                ReadLimits.DEFAULT,
                                scene.allocator(),
                                new HandExecutor()),
                8,
                10);
    }

    @Test
    void readerThatASweepOvertakesIsToldTheFirstStepThatIsKept() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            rank.read();
            sweep(6);
            sweep(8);

            assertExpired(rank::read, 1, 8);
            assertExpired(rank::read, 1, 8);
        }
    }

    /** What was fetched before it was deleted is what was published. */
    @Test
    void whatIsFetchedIsDelivered() {
        HandExecutor fetchers = new HandExecutor();
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, ReadLimits.DEFAULT, fetchers)) {
            rank.read();
            fetchers.runAll();
            sweep(8);
            for (long step = 1; step < 10; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        }
    }

    @Test
    @Tag("READ-2")
    void payloadThatIsKeptAndMissingIsDamage() {
        decide(6);
        delete(6);

        try (Rank rank = Rank.at(scene, "dp=0/1", 6)) {
            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(rank::read)
                    .withMessageContaining("the log names it, and it is not there");
        }
    }

    /** Who passes over looks for boundaries as long as it may, and misses its payload. */
    @Test
    @Tag("DROP-1")
    void readerOfADroppedDatasetIsToldSo() {
        new Jobs(scene.log()).detach("j");
        try (Rank rank = Rank.at(scene, "dp=0/1", 2)) {
            rank.read();
            var unused =
                    new Drop(scene.memory(), Scene.NAME, scene.clock().world(99))
                            .run(IfUnreadable.REFUSE, objects -> {});

            assertThatExceptionOfType(FencedException.class)
                    .isThrownBy(rank::read)
                    .withMessageContaining("it was dropped at ");
        }
    }

    @Test
    void whoCannotLookIntoTheLogSaysNeither() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            rank.read();
            sweep(6);
            scene.next(Kind.READ, Fault.NONE, Fault.UNAVAILABLE);
            assertThatExceptionOfType(UnavailableException.class).isThrownBy(rank::read);

            assertExpired(rank::read, 1, 6);
        }
    }
}
