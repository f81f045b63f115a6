package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.produce.Producer;
import io.batchweave.store.Requests;
import io.batchweave.testing.Scene;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    private static final Bytes RECEIPT = Bytes.digestOf(Bytes.sha256());

    private final Scene scene = new Scene("dp=4");

    @BeforeEach
    void publish() {
        Producer producer = scene.producer("p");
        for (int i = 0; i < 3; i++) {
            scene.publish(producer, i);
        }
    }

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    @Tag("READ-4")
    void aCursorIsAFewDozenBytesOfText() {
        Cursor cursor = Cursor.before(2, scene.log());

        assertThat(cursor.toString())
                .hasSize(36 + 1 + 1 + 1 + 64)
                .startsWith("00000000-0000-0000-0000-000000000007:2:")
                .endsWith(scene.truth().step(1).receipt().toHex());
        assertThat(Cursor.parse(cursor.toString())).isEqualTo(cursor);
    }

    @Test
    @Tag("READ-4")
    void everyRankAtEveryWorldSizeHasTheSameCursor() {
        for (int step = 0; step < 3; step++) {
            for (String place : List.of("dp=0/1", "dp=0/2", "dp=1/2", "dp=3/4")) {
                try (Rank rank = Rank.at(scene, place, step)) {
                    Cursor after = rank.read().cursor();
                    assertThat(after).isEqualTo(Cursor.before(step + 1, scene.log()));
                }
            }
        }
    }

    @Test
    @Tag("READ-4")
    void resumingGoesOnAtAnyWorldSizeWithTheSameSlices() {
        Cursor cursor;
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            cursor = rank.read().cursor();
        }
        for (String place : List.of("dp=0/2", "dp=1/2")) {
            try (Rank rank = Rank.resumed(scene, place, Cursor.parse(cursor.toString()))) {
                assertThat(rank.reader().nextStep()).isEqualTo(1);
                assertThat(rank.read().step()).isEqualTo(1);
            }
        }
    }

    @Test
    void twoResumesInARowAndOneAfterTheLastStep() {
        Cursor cursor = Cursor.before(0, scene.log());
        for (int step = 0; step < 3; step++) {
            try (Rank rank = Rank.resumed(scene, "dp=0/1", cursor)) {
                cursor = rank.read().cursor();
            }
        }
        try (Rank rank = Rank.resumed(scene, "dp=0/1", cursor)) {
            assertThat(rank.reader().nextStep()).isEqualTo(3);
            scene.publish(scene.producer("p"), 3);
            assertThat(rank.read().step()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 2, 3})
    void resumingReadsNothing(long step) {
        Log log = scene.log();
        Requests before = scene.requests();

        try (Rank rank = Rank.resumed(scene, log, "dp=0/1", Cursor.before(step, log))) {
            assertThat(rank.reader().nextStep()).isEqualTo(step);
            assertThat(scene.requests().minus(before).total()).isZero();
        }
    }

    @Test
    @Tag("READ-4")
    void aCursorOfAnotherDatasetIsRefused() {
        Cursor cursor =
                new Cursor(
                        "00000000-0000-0000-0000-000000000008",
                        0,
                        Cursor.before(0, scene.log()).receipt());

        assertRefused(
                cursor,
                "Cannot resume train.numbers at step 0: the cursor was taken from dataset"
                        + " 00000000-0000-0000-0000-000000000008, this is"
                        + " 00000000-0000-0000-0000-000000000007");
    }

    @Test
    @Tag("READ-4")
    void aCursorOfAnotherHistoryIsRefused() {
        Cursor cursor = new Cursor(scene.truth().dataset().id(), 2, RECEIPT);

        assertRefused(
                cursor,
                "Cannot resume train.numbers at step 2: the cursor's receipt is "
                        + RECEIPT.toHex()
                        + ", the log's is "
                        + scene.truth().step(1).receipt().toHex()
                        + "; it belongs to another history");
    }

    @Test
    @Tag("READ-4")
    void aCursorBeyondTheHeadIsRefused() {
        Cursor cursor = new Cursor(scene.truth().dataset().id(), 4, RECEIPT);

        assertRefused(
                cursor,
                "Cannot resume train.numbers at step 4: only 3 steps are published, so the cursor"
                        + " belongs to another history");
    }

    /** A rank that looked earlier than the one whose cursor it gets is only behind. */
    @Test
    void aCursorFromAReaderThatIsAheadIsTaken() {
        Log behind = scene.log();
        scene.publish(scene.producer("p"), 3);
        Cursor cursor = Cursor.before(4, scene.log());

        try (Rank rank = Rank.resumed(scene, behind, "dp=0/1", cursor)) {
            assertThat(rank.reader().nextStep()).isEqualTo(4);
        }
    }

    @Test
    void aCursorLiesBetweenStepsThatAreKnown() {
        Log log = scene.log();
        assertThat(Cursor.before(3, log).receipt()).isEqualTo(log.state().receipt());
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Cursor.before(4, log))
                .withMessageContaining("3 steps are published");
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Cursor.before(-1, log));
    }

    @Test
    void noCursorMakesNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Cursor("id", -1, RECEIPT));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cursor("id", 0, Bytes.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Cursor("id", 0, RECEIPT, "j", ""))
                .withMessageContaining("name both or neither");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "a:b:c",
                "a:1",
                "a:1:00",
                "a:-1:R",
                "a:1:R:",
                ":1:R",
                "a:1:Rx",
                "a:1:R:j",
                "a:1:R:j:"
            })
    void whatIsNoCursorIsRefused(String text) {
        String filled = text.replace("R", RECEIPT.toHex());
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Cursor.parse(filled))
                .withMessageStartingWith("Invalid cursor '")
                .withMessageEndingWith(
                        "': a cursor is DATASET_ID:STEP:RECEIPT or"
                                + " DATASET_ID:STEP:RECEIPT:JOB:SESSION, as it was given out");
    }

    @Test
    void textIsShownOnOneLine() {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Cursor.parse("a\nb"))
                .withMessageContaining("'a\\u000ab'");
    }

    private void assertRefused(Cursor cursor, String message) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Rank.resumed(scene, "dp=0/1", cursor))
                .withMessage(message);
    }
}
