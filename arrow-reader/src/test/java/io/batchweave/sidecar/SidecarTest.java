package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What trainers of a node are given, and what is left when they are gone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SidecarTest {
    private static final long MEMORY_BYTES = 1 << 20;

    /** The bytes of the slices of a step of this grid. */
    private static final long STEP_BYTES = 6_656;

    @TempDir private Path folder;
    private ServedNumbers served;

    @BeforeEach
    void serve() {
        served = new ServedNumbers(folder, MEMORY_BYTES);
    }

    @AfterEach
    void end() throws InterruptedException {
        served.close();
    }

    private static List<Long> all(TrainerProcess trainer) {
        List<Long> steps = new ArrayList<>();
        for (long step = trainer.next(); step >= 0; step = trainer.next()) {
            steps.add(step);
        }
        return steps;
    }

    private String refusal(String more) {
        try (TrainerProcess trainer = TrainerProcess.known(served.socket())) {
            return TrainerProcess.error(trainer.open(served.warehouse(), more)).orElseThrow();
        }
    }

    private void awaitNoFiles() {
        while (!served.files().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void everyRankIsGivenItsSlicesOfEveryStepUntilTheEnd() {
        served.publish(20).seal();
        try (TrainerProcess first = served.trainer("'mesh':'dp=0/2'");
                TrainerProcess second = served.trainer("'mesh':'dp=1/2'")) {
            List<Long> steps = all(first);
            assertThat(steps).hasSize(20).isSorted();
            assertThat(all(second)).isEqualTo(steps);
            assertThat(first.next()).as("the end is the end").isEqualTo(-1);
        }
        awaitNoFiles();
    }

    @Test
    void ranksAtOnePlaceFetchTheirSlicesOnce() {
        served.publish(20).seal();
        List<TrainerProcess> ranks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ranks.add(served.trainer("'mesh':'dp=0/1'"));
        }
        long before = served.requests().bytesDown();
        for (int step = 0; step < 20; step++) {
            for (TrainerProcess rank : ranks) {
                assertThat(rank.next()).isEqualTo(step);
            }
        }
        long needed =
                20 * ranks.get(0).ask("{'do':'health'}").at("/ok/readers/0/bytes").longValue() / 20;
        assertThat(needed).isPositive();
        assertThat(served.requests().bytesDown() - before).isEqualTo(needed);
        ranks.forEach(TrainerProcess::close);
        awaitNoFiles();
    }

    @Test
    void ranksWhosePlacesOverlapFetchWhatTheyShareOnce() {
        served.publish(3);
        try (TrainerProcess half = served.trainer("'mesh':'dp=0/2'")) {
            long before = served.requests().bytesDown();
            assertThat(half.next()).isZero();
            try (TrainerProcess whole = served.trainer("")) {
                assertThat(whole.next()).isZero();
                assertThat(whole.next()).isEqualTo(1);
                assertThat(whole.next()).isEqualTo(2);
                assertThat(served.requests().bytesDown() - before).isEqualTo(bytes(whole));
            }
        }
    }

    private static long bytes(TrainerProcess trainer) {
        long most = 0;
        for (JsonNode reader : trainer.ask("{'do':'health'}").at("/ok/readers")) {
            most = Math.max(most, reader.get("bytes").longValue());
        }
        return most;
    }

    @Test
    void aStepStaysWhileARankIsAtItAndIsGoneWhenAllHaveAskedForTheNext() {
        served.publish(1);
        try (TrainerProcess first = served.trainer("'mesh':'dp=0/2'");
                TrainerProcess second = served.trainer("'mesh':'dp=0/2'")) {
            first.next();
            second.next();
            assertThat(served.files()).hasSize(1);
            first.ask("{'do':'next','wait_ms':1}");
            assertThat(served.files()).hasSize(1);
            second.ask("{'do':'next','wait_ms':1}");
            assertThat(served.files()).isEmpty();
        }
    }

    @Test
    void aTrainerThatIsGoneLeavesNothingAndTheOthersGoOn() {
        served.publish(5);
        try (TrainerProcess survivor = served.trainer("'mesh':'dp=1/2'")) {
            try (TrainerProcess killed = served.trainer("'mesh':'dp=0/2'")) {
                killed.next();
                survivor.next();
                // It waits for what is not there, and is killed while it does.
                for (int step = 1; step < 5; step++) {
                    killed.next();
                }
                killed.say("{'do':'next','wait_ms':100000}");
            }
            for (int step = 1; step < 5; step++) {
                assertThat(survivor.next()).isEqualTo(step);
            }
            while (!survivor.ask("{'do':'health'}").at("/ok/readers/1").isMissingNode()) {
                Thread.onSpinWait();
            }
        }
        awaitNoFiles();
    }

    @Test
    void aReaderThatCannotLetGoOfItsFileClosesItsDatasetAllTheSame() throws IOException {
        served.publish(1);
        Path inTheWay;
        try (TrainerProcess trainer = served.trainer("")) {
            trainer.next();
            Path file = served.files().get(0);
            Files.delete(file);
            inTheWay = Files.createDirectories(file.resolve("in the way"));
        }
        while (!served.sidecar().node().datasets().all().isEmpty()) {
            Thread.onSpinWait();
        }
        Files.delete(inTheWay);
    }

    @Test
    void workersOfALoaderTakeTurns() {
        served.publish(7).seal();
        Set<Long> steps = new HashSet<>();
        for (int worker = 0; worker < 3; worker++) {
            try (TrainerProcess each = served.trainer("'worker':" + worker + ",'workers':3")) {
                List<Long> mine = all(each);
                assertThat(mine).allMatch(step -> step % 3 == mine.get(0) % 3);
                assertThat(mine.get(0)).isEqualTo(worker);
                steps.addAll(mine);
            }
        }
        assertThat(steps).hasSize(7);
    }

    @Test
    void aWaitSaysWhatItWaitsFor() {
        served.publish(1);
        try (TrainerProcess trainer = served.trainer("")) {
            trainer.next();
            assertThat(TrainerProcess.error(trainer.ask("{'do':'next','wait_ms':50}")))
                    .hasValueSatisfying(
                            error ->
                                    assertThat(error)
                                            .startsWith(
                                                    "unavailable: Cannot read step 1 of train.numbers")
                                            .contains(
                                                    "the newest is 0",
                                                    "producer p was last active"));
            served.publish(2);
            assertThat(trainer.next()).isEqualTo(1);
        }
    }

    @Test
    void aStepThatNeverFitsTheMemoryIsRefusedAtOnceAndOneThatDoesIsGiven() throws Exception {
        served.close();
        Path tight = Files.createDirectory(folder.resolve("tight"));
        served = new ServedNumbers(tight, STEP_BYTES).publish(5);
        try (TrainerProcess one = served.trainer("")) {
            for (int step = 0; step < 5; step++) {
                assertThat(one.next()).as("with room for one step").isEqualTo(step);
            }
        }
        served.close();
        Path small = Files.createDirectory(folder.resolve("small"));
        served = new ServedNumbers(small, STEP_BYTES / 2).publish(1);
        try (TrainerProcess one = served.trainer("")) {
            assertThat(TrainerProcess.error(one.ask("{'do':'next'}")))
                    .hasValueSatisfying(
                            error ->
                                    assertThat(error)
                                            .startsWith(
                                                    "invalid: Cannot read step 0 of train.numbers: its 6400 bytes at this place are more than the 3328")
                                            .contains("--memory"));
        }
    }

    @Test
    void aStepThatFindsNoRoomNowCanBeAskedForAgain() throws Exception {
        served.close();
        Path tight = Files.createDirectory(folder.resolve("full"));
        served = new ServedNumbers(tight, STEP_BYTES).publish(2);
        try (TrainerProcess first = served.trainer("");
                TrainerProcess second = served.trainer("'from':1")) {
            first.next();
            assertThat(TrainerProcess.error(second.ask("{'do':'next'}")).orElseThrow())
                    .startsWith(
                            "unavailable: Cannot read step 1 of train.numbers: its 6400 bytes found no room")
                    .contains("--memory");
            first.close();
            assertThat(second.next()).isEqualTo(1);
        }
    }

    @Test
    void whatIsFetchedAheadForOneMakesRoomForAnother() throws Exception {
        served.close();
        Path tight = Files.createDirectory(folder.resolve("shared"));
        served = new ServedNumbers(tight, 2 * STEP_BYTES).publish(8);
        try (TrainerProcess first = served.trainer("")) {
            first.next();
            try (TrainerProcess second = served.trainer("'from':5")) {
                assertThat(second.next()).isEqualTo(5);
                assertThat(first.next()).isEqualTo(1);
                assertThat(second.next()).isEqualTo(6);
            }
        }
    }

    @Test
    void moreMemoryThanThereIsIsRefusedWithBothNumbers() {
        long tooMuch = 1L << 60;
        SidecarSettings other = new ServedSettings(folder.resolve("other")).with(tooMuch);
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Sidecar.start(World.real(), other, new Identity("1", 1)))
                .withMessageContaining(Long.toString(tooMuch))
                .withMessageContaining("has ");
    }

    @Test
    void onlyOneServesInAFolder() {
        assertThat(
                        Sidecar.start(
                                World.real(), served.settings(MEMORY_BYTES), new Identity("1", 78)))
                .isEmpty();
    }

    @Test
    void whatAKilledSidecarLeftIsGoneWithTheNext() throws IOException {
        Path left = Files.createDirectories(folder.resolve("next/arena-5"));
        Files.writeString(left.resolve("3"), "bytes");
        SidecarSettings next = new ServedSettings(folder.resolve("next")).with(MEMORY_BYTES);
        try (Sidecar sidecar =
                Sidecar.start(World.real(), next, new Identity("1", 6)).orElseThrow()) {
            assertThat(left).doesNotExist();
            assertThat(sidecar.summary()).startsWith("0 readers");
        }
        assertThat(folder.resolve("next/arena-6")).doesNotExist();
        assertThat(next.socketPath()).doesNotExist();
    }

    @Test
    void ranksThatWaitTogetherLookIntoTheLogLikeOne() {
        served.publish(1);
        List<TrainerProcess> ranks = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            ranks.add(served.trainer("'mesh':'dp=" + i + "/12'"));
        }
        ranks.forEach(TrainerProcess::next);
        long before = served.requests().reads();
        ranks.forEach(rank -> rank.say("{'do':'next','wait_ms':2000}"));
        ranks.forEach(TrainerProcess::hear);
        // One that waits alone looks after 2, 4, 8 ... ms, and then ten times a second: 26 times.
        assertThat(served.requests().reads() - before).isBetween(20L, 3L * 26);
        ranks.forEach(TrainerProcess::close);
    }

    @Test
    void whatIsNoRequestIsRefusedAndTheConnectionGoesOn() {
        served.publish(1);
        try (TrainerProcess trainer = new TrainerProcess(served.socket())) {
            assertThat(TrainerProcess.error(trainer.ask("{'do':'next'}")).orElseThrow())
                    .contains("says hello");
            assertThat(
                            TrainerProcess.error(trainer.ask("{'do':'hello','protocol':2}"))
                                    .orElseThrow())
                    .contains("protocol 2", "speaks 1");
            trainer.ask("{'do':'hello','protocol':1}");
            for (String line :
                    List.of(
                            "nonsense",
                            "[]",
                            "",
                            "{}",
                            "{'do':'fly'}",
                            "{'do':'next'}",
                            "{'do':'open','warehouse':'relative','dataset':'a.b'}",
                            "{'do':'open','warehouse':7,'dataset':'a.b'}",
                            "{'do':'open','warehouse':'/nowhere','dataset':'a'}")) {
                assertThat(TrainerProcess.error(trainer.ask(line)))
                        .as(line)
                        .hasValueSatisfying(error -> assertThat(error).startsWith("invalid: "));
            }
            assertThat(trainer.open(served.warehouse(), "").has("ok")).isTrue();
            assertThat(trainer.next()).isZero();
        }
        assertThat(refusal("'mesh':'dp=0/5'")).contains("legal sizes are 1, 2, 3, 4, 6, 12");
        assertThat(refusal("'worker':3,'workers':3")).contains("Invalid worker 3 of 3");
        assertThat(refusal("'session':'s'")).contains("names no job");
        assertThat(refusal("'cursor':'x'")).contains("Invalid cursor 'x'");
    }
}
