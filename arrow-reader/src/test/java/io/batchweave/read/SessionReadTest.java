package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.StepRange;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.retain.Job;
import io.batchweave.retain.Jobs;
import io.batchweave.retain.Saved;
import io.batchweave.retain.Saved.Direction;
import io.batchweave.state.Session;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Scene;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the ranks of a session are given: all the same, whatever is skipped meanwhile. */
class SessionReadTest {
    private final Scene scene = new Scene("dp=4");
    private final Producer producer =
            Producer.open(scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);
    private Job job;

    @BeforeEach
    void publishAndAttach() {
        for (int i = 0; i < 10; i++) {
            scene.publish(producer, i);
        }
        job = new Jobs(scene.log()).attach("j", 0, 3);
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    private void skip(long first, long last) {
        scene.log(scene.memory()).append(List.of(new Skip(new StepRange(first, last), "a spike")));
    }

    private StepReader open(Session session, String place, ReadLimits limits) {
        Log log = scene.log();
        Place parsed = Place.parse(place, log.state().dataset().grid());
        return StepReader.open(log, parsed, session, limits, scene.allocator(), new HandExecutor());
    }

    private StepReader resume(Session session, Cursor cursor) {
        Log log = scene.log();
        Place whole = Place.whole(log.state().dataset().grid());
        return StepReader.resume(
                log,
                whole,
                session,
                cursor,
                ReadLimits.DEFAULT,
                scene.allocator(),
                new HandExecutor());
    }

    private static Optional<Cursor> next(StepReader reader) {
        try (StepBatch batch = reader.next(Rank.WAIT).orElse(null)) {
            return Optional.ofNullable(batch).map(StepBatch::cursor);
        }
    }

    /** The cursors after so many steps. */
    private static List<Cursor> read(StepReader reader, int steps) {
        List<Cursor> cursors = new ArrayList<>();
        for (int i = 0; i < steps; i++) {
            next(reader).ifPresent(cursors::add);
        }
        return cursors;
    }

    private static List<Long> steps(List<Cursor> cursors) {
        return cursors.stream().map(cursor -> cursor.nextStep() - 1).toList();
    }

    @Test
    @Tag("READ-5")
    void stepsThatAreSkippedWhenTheSessionStartsAreNotDelivered() {
        skip(0, 1);
        skip(4, 6);
        Session session = job.start("s");

        for (String place : List.of("dp=0/1", "dp=1/4")) {
            try (StepReader reader = open(session, place, ReadLimits.DEFAULT)) {
                assertThat(reader.nextStep()).isEqualTo(2);
                assertThat(steps(read(reader, 5))).containsExactly(2L, 3L, 7L, 8L, 9L);
            }
        }
    }

    @Test
    @Tag("READ-5")
    void whatIsSkippedLaterChangesNoRunningSession() {
        Session session = job.start("s");
        try (StepReader early = open(session, "dp=0/2", ReadLimits.DEFAULT)) {
            List<Cursor> ofEarly = new ArrayList<>(read(early, 2));
            skip(3, 6);

            Session found = new Jobs(scene.log()).open("j").start("s");
            try (StepReader late = open(found, "dp=1/2", ReadLimits.DEFAULT)) {
                ofEarly.addAll(read(early, 8));
                assertThat(read(late, 10)).isEqualTo(ofEarly);
            }
        }
    }

    @Test
    @Tag("READ-4")
    void cursorOfASessionNamesItAndIsReadBack() {
        skip(1, 1);
        try (StepReader reader = open(job.start("s.1"), "dp=0/1", ReadLimits.DEFAULT)) {
            Cursor cursor = next(reader).orElseThrow();
            assertThat(cursor.toString()).endsWith(":j:s.1");
            assertThat(Cursor.parse(cursor.toString())).isEqualTo(cursor);
            assertThat(cursor.receipt()).isEqualTo(scene.truth().receiptBefore(1).orElseThrow());

            Cursor beyondTheSkip = next(reader).orElseThrow();
            assertThat(beyondTheSkip.nextStep()).isEqualTo(3);
            assertThat(beyondTheSkip.receipt())
                    .isEqualTo(job.given(3))
                    .isNotEqualTo(scene.truth().receiptBefore(3).orElseThrow());
        }
    }

    @Test
    @Tag("READ-5")
    void rankResumesInItsSessionAtItsCursor() {
        skip(3, 4);
        Session session = job.start("s");
        Cursor cursor;
        try (StepReader reader = open(session, "dp=0/1", ReadLimits.DEFAULT)) {
            cursor = read(reader, 3).get(2);
        }
        new Jobs(scene.log()).open("j").checkpoint(saved("s", cursor));

        try (StepReader reader = resume(session, cursor)) {
            assertThat(reader.nextStep()).isEqualTo(5);
            assertThat(steps(read(reader, 5))).containsExactly(5L, 6L, 7L, 8L, 9L);
        }
    }

    private static Saved saved(String session, Cursor cursor) {
        return new Saved(
                session,
                "at" + cursor.nextStep(),
                cursor.nextStep(),
                cursor.receipt(),
                Direction.FORWARD);
    }

    @Test
    @Tag("READ-5")
    void rankWhoseModelIsFurtherDoesNotBeginAtTheStart() {
        Session session = job.start("s");
        try (StepReader reader = open(session, "dp=0/1", ReadLimits.DEFAULT)) {
            job.checkpoint(saved("s", read(reader, 4).get(3)));
        }

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> open(session, "dp=0/1", ReadLimits.DEFAULT))
                .withMessage(
                        "Cannot read train.numbers from the start of session s of job j, step 0:"
                                + " the job has made checkpoint at4 at step 4 in it; resume at a"
                                + " cursor, or start another session");
    }

    @Test
    @Tag("READ-4")
    void restartGoesOnByTheCursorThatWasSavedWithItsCheckpoint() {
        Cursor cursor;
        try (StepReader reader = open(job.start("s"), "dp=0/1", ReadLimits.DEFAULT)) {
            cursor = read(reader, 4).get(3);
            job.checkpoint(saved("s", cursor));
        }
        skip(5, 5);

        try (StepReader reader = resume(job.start("t"), cursor)) {
            assertThat(steps(read(reader, 5))).containsExactly(4L, 6L, 7L, 8L, 9L);
        }
    }

    @Test
    @Tag("READ-4")
    void cursorThatLiesElsewhereThanTheSessionIsRefusedWithBothReceipts() {
        List<Cursor> cursors;
        try (StepReader reader = open(job.start("s"), "dp=0/1", ReadLimits.DEFAULT)) {
            cursors = read(reader, 6);
            job.checkpoint(saved("s", cursors.get(3)));
        }
        Session session = job.start("t");

        for (Cursor other : List.of(cursors.get(2), cursors.get(5))) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> resume(session, other))
                    .withMessage(
                            "Cannot resume train.numbers at step %d: the cursor's receipt is %s, and"
                                    + " session t of job j starts at checkpoint at4 at step 4, with"
                                    + " %s; load that checkpoint, or start a session at the"
                                    + " cursor's",
                            other.nextStep(), other.receipt(), cursors.get(3).receipt());
        }
    }

    @Test
    @Tag("READ-4")
    void cursorOfOtherSkipsIsRefusedWithBothReceipts() {
        Cursor cursor;
        try (StepReader reader = open(job.start("s"), "dp=0/1", ReadLimits.DEFAULT)) {
            cursor = read(reader, 4).get(3);
        }
        skip(2, 2);
        Session session = job.start("t");

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> resume(session, cursor))
                .withMessage(
                        "Cannot resume train.numbers at step 4: the cursor's receipt is %s, the"
                                + " log's is %s in session t of job j",
                        cursor.receipt(), job.given(4));
    }

    @Test
    @Tag("READ-4")
    void cursorOfASessionIsNotTakenWithoutOne() {
        Cursor cursor;
        try (StepReader reader = open(job.start("s"), "dp=0/1", ReadLimits.DEFAULT)) {
            cursor = next(reader).orElseThrow();
        }
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Rank.resumed(scene, "dp=0/1", cursor))
                .withMessage(
                        "Cannot resume train.numbers at step 1: the cursor was taken in session s"
                                + " of job j; resume in a session of that job");
    }

    @Test
    @Tag("READ-3")
    void sessionThatPassesOverTheEndEndsThere() {
        skip(8, 12);
        Session session = job.start("s");
        scene.log(scene.memory()).append(List.of(new Seal(SealCondition.NONE)));

        try (StepReader reader = open(session, "dp=0/1", ReadLimits.DEFAULT)) {
            assertThat(steps(read(reader, 8))).hasSize(8).endsWith(7L);
            assertThat(next(reader)).isEmpty();
        }
    }

    @Test
    @Tag("READ-5")
    void stepsThatWereSkippedBeforeTheyWerePublishedAreNotDelivered() {
        skip(9, 11);
        Session session = job.start("s");
        try (StepReader reader = open(session, "dp=0/1", ReadLimits.DEFAULT.endingAt(13))) {
            assertThat(steps(read(reader, 9))).endsWith(8L);
            assertThat(reader.nextStep()).isEqualTo(12);
            for (int i = 10; i < 14; i++) {
                scene.publish(producer, i);
            }
            assertThat(steps(read(reader, 2))).containsExactly(12L);
        }
    }

    @Test
    @Tag("READ-5")
    void sessionAtAnOlderCheckpointGivesTheSameAgain() {
        List<Cursor> first;
        try (StepReader reader = open(job.start("s"), "dp=0/1", ReadLimits.DEFAULT)) {
            first = read(reader, 10);
            job.checkpoint(saved("s", first.get(2)));
            job.checkpoint(saved("s", first.get(7)));
        }
        try (StepReader reader = resume(job.start("t", "at3"), first.get(2))) {
            assertThat(read(reader, 7))
                    .extracting(Cursor::receipt)
                    .isEqualTo(first.subList(3, 10).stream().map(Cursor::receipt).toList());
        }
        skip(4, 5);
        try (StepReader reader = open(job.start("u", "at3"), "dp=0/1", ReadLimits.DEFAULT)) {
            assertThat(steps(read(reader, 5))).containsExactly(3L, 6L, 7L, 8L, 9L);
        }
        scene.log(scene.memory()).append(List.of(new Unskip(new StepRange(4, 5))));
        try (StepReader reader = open(job.start("v", "at3"), "dp=0/1", ReadLimits.DEFAULT)) {
            assertThat(steps(read(reader, 7))).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
    }
}
