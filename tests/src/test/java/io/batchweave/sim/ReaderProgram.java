package io.batchweave.sim;

import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.read.Cursor;
import io.batchweave.read.FetchLimits;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.SliceBatch;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.testing.Numbers;
import java.time.Duration;
import java.util.Optional;
import org.apache.arrow.vector.BigIntVector;

/** A rank that reads to the end, and goes on from its last checkpoint when it is started again. */
final class ReaderProgram implements Program {
    private static final Duration STORMY_WAIT = Duration.ofSeconds(5);
    private static final Duration CALM_WAIT = Duration.ofDays(3);

    /** Whatever takes longer than usual is fetched once more. */
    private static final FetchLimits IMPATIENT =
            new FetchLimits(Duration.ofMinutes(10), Duration.ofMillis(1), 1, 1);

    private final String name;
    private final String place;
    private Optional<Cursor> checkpoint = Optional.empty();
    private long first;

    ReaderProgram(String name, String place) {
        this.name = name;
        this.place = place;
    }

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    try (StepReader reader = open(life, log)) {
                        read(life, log, reader);
                    } catch (ExpiredException e) {
                        checkpoint = Optional.empty();
                        first = e.firstKept();
                        throw e;
                    }
                });
    }

    private StepReader open(Life life, Log log) {
        Place at = Place.parse(place, log.state().dataset().grid());
        // Room for one step, or for all.
        ReadLimits limits =
                new ReadLimits(life.happens(3) ? 0 : 1 << 20, Long.MAX_VALUE, IMPATIENT);
        return checkpoint.isEmpty()
                ? StepReader.open(log, at, first, limits, life.allocator(), life.executor())
                : StepReader.resume(
                        log, at, checkpoint.get(), limits, life.allocator(), life.executor());
    }

    private void read(Life life, Log log, StepReader reader) {
        boolean more = true;
        while (more) {
            more = next(life, log, reader);
        }
        life.witness().ended(name, reader.nextStep());
    }

    /** The next step, if there is one; one that cannot be fetched may be asked for again. */
    private boolean next(Life life, Log log, StepReader reader) {
        Duration wait = life.isCalm() ? CALM_WAIT : STORMY_WAIT;
        Optional<StepBatch> next;
        try {
            next = reader.next(wait);
        } catch (UnavailableException e) {
            life.demandReason(e);
            next = reader.next(wait);
        }
        next.ifPresent(batch -> take(life, log, reader, batch));
        return next.isPresent();
    }

    private void take(Life life, Log log, StepReader reader, StepBatch batch) {
        try (batch) {
            Violation.unless(
                    batch.step() == reader.nextStep() - 1 && batch.slices().size() > 0,
                    () ->
                            "%s was given step %d before step %d"
                                    .formatted(name, batch.step(), reader.nextStep()));
            long number = numberOf(batch);
            life.witness()
                    .delivered(name, batch.step(), number, batch.cursor().receipt(), log.state());
            if (life.happens(2)) {
                checkpoint = Optional.of(batch.cursor());
            }
        }
    }

    /** The batch of which all these slices are, to the last row. */
    static long numberOf(StepBatch batch) {
        SliceBatch first = batch.slices().get(0);
        long number = ((BigIntVector) first.rows().getVector("batch")).get(0);
        for (SliceBatch slice : batch.slices()) {
            Violation.unless(
                    Numbers.areThoseOf(slice.rows(), number, slice.index()),
                    () ->
                            "slice %d of step %d is not of batch %d"
                                    .formatted(slice.index(), batch.step(), number));
        }
        return number;
    }
}
