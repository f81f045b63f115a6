package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Slice;
import io.batchweave.model.SliceGrid;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.Requests;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a rank gets, in which order, and what it costs. */
class StepReaderTest {
    private final Scene scene = new Scene("dp=4,cp=3");
    private final Producer producer =
            Producer.open(scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run);

    @AfterEach
    void everythingIsFreed() {
        scene.close();
    }

    @Test
    @Tag("READ-3")
    void stepsComeInOrderEachOnce() {
        publish(0, 5);
        try (Rank rank = Rank.at(scene, "dp=1/2", 0)) {
            for (int step = 0; step < 5; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
        }
    }

    @Test
    void readingBeginsAtAnyStep() {
        publish(0, 5);
        try (Rank rank = Rank.at(scene, "dp=0/1", 3)) {
            assertThat(rank.read().step()).isEqualTo(3);
            assertThat(rank.read().step()).isEqualTo(4);
        }
        for (long step : List.of(-1L, Long.MAX_VALUE)) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(() -> Rank.at(scene, "dp=0/1", step))
                    .withMessage(
                            "Cannot read train.numbers from step "
                                    + step
                                    + ": steps count from 0 and end before 9223372036854775807");
        }
    }

    @Test
    @Tag("READ-3")
    void allRanksEndAtTheSameStep() {
        publish(0, 3);
        seal();
        for (String place : List.of("dp=0/4", "dp=3/4,cp=2/3", "dp=0/1", "cp=1/3")) {
            try (Rank rank = Rank.at(scene, place, 0)) {
                for (int step = 0; step < 3; step++) {
                    assertThat(rank.read().step()).isEqualTo(step);
                }
                assertThat(rank.readIfAny()).isEmpty();
                assertThat(rank.readIfAny()).as("asked again").isEmpty();
                assertThat(rank.reader().nextStep()).isEqualTo(3);
            }
        }
    }

    @Test
    @Tag("READ-3")
    void aReaderThatWaitsLearnsOfTheEnd() {
        publish(0, 1);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertThat(rank.read().step()).isZero();
            scene.atNextPause(this::seal);

            assertThat(rank.readIfAny()).isEmpty();
        }
    }

    @Test
    void anEmptyDatasetThatIsSealedHasNoStep() {
        seal();
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            assertThat(rank.readIfAny()).isEmpty();
        }
    }

    /** Else one rank would end in silence where others go on. */
    @Test
    @Tag("READ-3")
    void aReaderBeyondTheEndIsToldSo() {
        publish(0, 3);
        seal();
        try (Rank rank = Rank.at(scene, "dp=0/1", 4)) {
            assertThatExceptionOfType(InvalidRequestException.class)
                    .isThrownBy(rank::read)
                    .withMessage(
                            "Cannot read step 4 of train.numbers: the dataset was sealed after 3"
                                    + " steps");
        }
    }

    @Test
    void aReaderEndsWhereItWasTold() {
        publish(0, 5);
        HandExecutor fetchers = new HandExecutor();
        Requests before = scene.requests();
        try (Rank rank = Rank.at(scene, "dp=0/1", 1, ReadLimits.DEFAULT.endingAt(3), fetchers)) {
            assertThat(rank.read().step()).isEqualTo(1);
            assertThat(fetchers.waiting()).as("steps 1 and 2").isEqualTo(2);
            assertThat(rank.read().step()).isEqualTo(2);
            assertThat(rank.readIfAny()).isEmpty();
        }
        assertThat(scene.requests().minus(before).reads())
                .as("8 of the log to open it, then two steps")
                .isEqualTo(8 + 2);
        try (Rank rank = Rank.at(scene, "dp=0/1", 5, ReadLimits.DEFAULT.endingAt(3), fetchers)) {
            assertThat(rank.readIfAny()).isEmpty();
        }
    }

    @Test
    void aPlaceOfAnotherGridIsRefused() {
        Place place = Place.whole(SliceGrid.parse("dp=13"));
        Log log = scene.log();
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(
                        () ->
                                StepReader.open(
                                        log,
                                        place,
                                        0,
                                        ReadLimits.DEFAULT,
                                        scene.allocator(),
                                        Runnable::run))
                .withMessage(
                        "Cannot read train.numbers at place 'the whole grid': it is none of the"
                                + " grid dp=4,cp=3");
    }

    /** All bytes that a rank needs, none that it does not, and one request for each run. */
    @ParameterizedTest
    @CsvSource({
        "dp=0/1, 1",
        "dp=0/2, 1",
        "dp=1/2, 1",
        "dp=3/4, 1",
        "cp=0/3, 4",
        "cp=2/3, 4",
        "'dp=0/2,cp=1/3', 2",
        "'dp=2/4,cp=0/3', 1"
    })
    void bytesFetchedAreBytesNeeded(String place, int runs) {
        publish(0, 1);
        try (Rank rank = Rank.at(scene, place, 0)) {
            Requests before = scene.requests();

            Rank.Read read = rank.read();

            Requests made = scene.requests().minus(before);
            assertThat(made.reads()).isEqualTo(runs);
            assertThat(made.total()).isEqualTo(runs);
            assertThat(made.bytesDown()).isEqualTo(read.bytes());
        }
    }

    @Test
    void slicesOfSeveralPartsComeInTheOrderOfTheGrid() {
        Producer rolling = scene.producer("rolling", new ProducerLimits(8, 2_000), Runnable::run);
        scene.publish(rolling, 0);
        int parts = scene.truth().step(0).batch().parts().size();
        assertThat(parts).isGreaterThan(2);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            Requests before = scene.requests();

            assertThat(rank.read().slices()).hasSize(12);

            assertThat(scene.requests().minus(before).reads()).isEqualTo(parts);
        }
        Set<Slice> seen = new HashSet<>();
        for (int dp = 0; dp < 4; dp++) {
            try (Rank rank = Rank.at(scene, "dp=" + dp + "/4", 0)) {
                seen.addAll(rank.read().slices());
            }
        }
        assertThat(seen).as("places and lengths differ").hasSizeGreaterThan(6);
    }

    /** The vectors lie in the fetched bytes, each at a multiple of 64. */
    @Test
    void nothingIsCopied() {
        publish(0, 1);
        StepRecord step = scene.truth().step(0);
        Log log = scene.log();
        Place place = Place.whole(SliceGrid.parse("dp=4,cp=3"));
        try (StepReader reader =
                        StepReader.open(
                                log,
                                place,
                                0,
                                ReadLimits.DEFAULT,
                                scene.allocator(),
                                Runnable::run);
                StepBatch batch = reader.next(Rank.WAIT).orElseThrow()) {
            List<Slice> slices = step.batch().parts().get(0).slices();
            ArrowBuf origin = buffers(batch.slices().get(0).rows()).get(0);
            for (SliceBatch slice : batch.slices()) {
                for (ArrowBuf buffer : buffers(slice.rows())) {
                    assertThat(buffer.memoryAddress() % 64).isZero();
                    long distance = buffer.memoryAddress() - origin.memoryAddress();
                    long slicesApart = slice.slice().offset() - slices.get(0).offset();
                    assertThat(distance - slicesApart).isBetween(0L, slice.slice().length());
                }
            }
            assertThat(Set.copyOf(owners(batch))).as("all lie in one buffer").hasSize(1);
        }
    }

    @Test
    void theSlicesOfAStepCanBeJoined() {
        publish(0, 1);
        try (Rank rank = Rank.at(scene, "dp=1/2", 0);
                StepBatch batch = rank.reader().next(Rank.WAIT).orElseThrow();
                VectorSchemaRoot joined = batch.joined(scene.allocator())) {
            int rows = batch.slices().stream().mapToInt(slice -> slice.rows().getRowCount()).sum();
            assertThat(joined.getRowCount()).isEqualTo(rows).isPositive();
            assertThat(joined.getVector("slice").getObject(0)).isEqualTo(6L);
            assertThat(joined.getVector("slice").getObject(rows - 1)).isEqualTo(10L);
        }
    }

    @Test
    void whatWasDeliveredOutlivesTheReader() {
        publish(0, 2);
        StepBatch batch;
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            batch = rank.reader().next(Rank.WAIT).orElseThrow();
        }
        for (SliceBatch slice : batch.slices()) {
            assertThat(Numbers.areThoseOf(slice.rows(), 0, slice.index())).isTrue();
        }
        batch.close();
        batch.close();
    }

    @Test
    void aReaderWithARunwayAsksTheLogForNothing() {
        publish(0, 10);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            List<String> logReads = new ArrayList<>();
            scene.watch(
                    call -> {
                        if (call.key().contains("/log/")) {
                            logReads.add(call.key());
                        }
                    });
            for (int step = 0; step < 9; step++) {
                assertThat(rank.read().step()).isEqualTo(step);
            }
            assertThat(logReads).isEmpty();

            rank.read();
            assertThat(logReads).as("one step was left").hasSize(1);
        }
    }

    @Test
    void aSealedLogIsNotLookedAtAgain() {
        publish(0, 2);
        seal();
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            Requests before = scene.requests();
            rank.read();
            rank.read();
            assertThat(rank.readIfAny()).isEmpty();
            assertThat(scene.requests().minus(before).reads()).as("two steps").isEqualTo(2);
        }
    }

    @Test
    void aReaderThatHasAllItWasToldToReadDoesNotLookFurther() {
        publish(0, 2);
        ReadLimits limits = ReadLimits.DEFAULT.endingAt(2);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0, limits, new HandExecutor())) {
            Requests before = scene.requests();
            rank.read();
            rank.read();
            assertThat(rank.readIfAny()).isEmpty();
            assertThat(scene.requests().minus(before).reads()).as("two steps").isEqualTo(2);
        }
    }

    @Test
    void aLogThatCannotBeReadDoesNotKeepBackWhatIsFetched() {
        publish(0, 2);
        try (Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            rank.read();
            scene.next(Kind.READ, Fault.UNAVAILABLE, Fault.NONE, Fault.UNAVAILABLE);

            assertThat(rank.read().step()).isEqualTo(1);
            assertThatExceptionOfType(UnavailableException.class).isThrownBy(rank::read);

            publish(2, 1);
            assertThat(rank.read().step()).isEqualTo(2);
        }
    }

    private static List<ArrowBuf> buffers(VectorSchemaRoot rows) {
        return rows.getFieldVectors().stream()
                .map(FieldVector::getDataBuffer)
                .filter(buffer -> buffer.capacity() > 0)
                .toList();
    }

    private static List<Object> owners(StepBatch batch) {
        return batch.slices().stream()
                .flatMap(slice -> buffers(slice.rows()).stream())
                .map(buffer -> (Object) buffer.getReferenceManager())
                .toList();
    }

    private void publish(long first, int count) {
        IntStream.range(0, count).forEach(i -> scene.publish(producer, first + i));
    }

    private void seal() {
        scene.log(scene.memory()).append(List.of(new Seal(SealCondition.NONE)));
    }
}
