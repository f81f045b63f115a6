package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.model.Slice;
import io.batchweave.testing.HandExecutor;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A rank that reads batches of {@link Numbers} of which step n holds batch n, and checks them. */
final class Rank implements AutoCloseable {
    static final Duration WAIT = Duration.ofSeconds(30);

    private final Place place;
    private final StepReader reader;

    private Rank(Place place, StepReader reader) {
        this.place = place;
        this.reader = reader;
    }

    /** Fetches in the thread that reads, and only when it does. */
    static Rank at(Scene scene, String place, long step) {
        return at(scene, place, step, ReadLimits.DEFAULT, new HandExecutor());
    }

    static Rank at(Scene scene, String place, long step, ReadLimits limits, Executor fetchers) {
        Log log = scene.log();
        Place parsed = Place.parse(place, log.state().dataset().grid());
        return new Rank(
                parsed, StepReader.open(log, parsed, step, limits, scene.allocator(), fetchers));
    }

    static Rank resumed(Scene scene, String place, Cursor cursor) {
        return resumed(scene, scene.log(), place, cursor);
    }

    static Rank resumed(Scene scene, Log log, String place, Cursor cursor) {
        Place parsed = Place.parse(place, log.state().dataset().grid());
        StepReader reader =
                StepReader.resume(
                        log,
                        parsed,
                        cursor,
                        ReadLimits.DEFAULT,
                        scene.allocator(),
                        new HandExecutor());
        return new Rank(parsed, reader);
    }

    StepReader reader() {
        return reader;
    }

    /** What was read. */
    record Read(long step, Cursor cursor, List<Slice> slices) {
        /** Bytes of the slices. */
        long bytes() {
            return slices.stream().mapToLong(Slice::length).sum();
        }
    }

    /** The next step, which is there: exactly the slices of the place, each as it was written. */
    Read read() {
        return readIfAny().orElseThrow();
    }

    Optional<Read> readIfAny() {
        long expected = reader.nextStep();
        Optional<StepBatch> next = reader.next(WAIT);
        if (next.isEmpty()) {
            return Optional.empty();
        }
        try (StepBatch batch = next.get()) {
            assertThat(batch.step()).isEqualTo(expected);
            assertThat(reader.nextStep()).isEqualTo(expected + 1);
            assertThat(batch.slices()).extracting(SliceBatch::index).isEqualTo(place.slices());
            for (SliceBatch slice : batch.slices()) {
                assertThat(Numbers.areThoseOf(slice.rows(), expected, slice.index())).isTrue();
            }
            List<Slice> slices = batch.slices().stream().map(SliceBatch::slice).toList();
            return Optional.of(new Read(batch.step(), batch.cursor(), slices));
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
