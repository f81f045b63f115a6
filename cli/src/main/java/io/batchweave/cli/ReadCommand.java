package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.read.Cursor;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
import io.batchweave.retain.Jobs;
import io.batchweave.state.Session;
import io.batchweave.state.State;
import io.batchweave.store.CountingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads one rank's slices, step by step. */
@Command(
        name = "read",
        mixinStandardHelpOptions = true,
        description = {
            "Read one rank's slices, step by step, and print a line for each step.",
            "A digest is the SHA-256 of a slice's logical content: field ids, types, values, nulls."
        })
final class ReadCommand implements Callable<Integer>, Interruptible {
    private static final int FETCHERS = 4;

    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--mesh",
            paramLabel = "AXIS=RANK/SIZE[,...]",
            description = "The rank's place, such as dp=3/8,cp=0/2. Default: the whole grid")
    private String mesh;

    @Option(names = "--from", paramLabel = "STEP", description = "First step. Default: 0")
    private Long from;

    @Option(
            names = "--cursor",
            paramLabel = "CURSOR",
            description =
                    "Resume where this cursor was given out (see --json), in the session that it was"
                            + " given out in, or the one that is named; refused on another history.")
    private String cursor;

    @Option(
            names = "--job",
            paramLabel = "JOB",
            description = "With --session: the training job whose session it is.")
    private String job;

    @Option(
            names = "--session",
            paramLabel = "ID",
            description =
                    "Read in this session, which has started: from its start, or from a cursor of it, and"
                            + " without what it skips.")
    private String session;

    @Option(names = "--steps", paramLabel = "N", description = "End after this many steps.")
    private Long steps;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description =
                    "How long to wait for a step that is not published. Default: ${DEFAULT-VALUE}")
    private Duration wait;

    @Option(
            names = "--arrow",
            description =
                    "Write the slices to standard output as an Arrow IPC stream, a record batch each.")
    private boolean arrow;

    /** The newest step that was printed; -1 before the first. */
    private volatile long newest = -1;

    @Override
    public Integer call() {
        checkOptions();
        ExecutorService fetchers = Executors.newFixedThreadPool(FETCHERS, ReadCommand::daemon);
        try (BufferAllocator allocator = new RootAllocator()) {
            return warehouse.run(store -> read(store, allocator, fetchers));
        } finally {
            fetchers.shutdown();
        }
    }

    private void checkOptions() {
        if (from != null && cursor != null) {
            throw new InvalidRequestException(
                    "Cannot use both --from and --cursor: name one place to start");
        }
        if (from != null && from < 0) {
            throw new InvalidRequestException("Invalid --from " + from + ": steps count from 0");
        }
        if ((job == null) != (session == null)) {
            throw new InvalidRequestException(
                    "Cannot read in a session by half: name both --job and --session");
        }
        if (session != null && from != null) {
            throw new InvalidRequestException(
                    "Cannot use --from in a session: it starts where all its ranks start");
        }
        if (arrow && output.isJson()) {
            throw new InvalidRequestException(
                    "Cannot print both --arrow and --json: name one of them");
        }
        if (steps != null && steps < 0) {
            throw new InvalidRequestException("Invalid --steps " + steps + ": use 0 or more");
        }
    }

    private ExitCode read(
            CountingStore store, BufferAllocator allocator, ExecutorService fetchers) {
        Log log = warehouse.open(store, dataset);
        Place place =
                mesh == null
                        ? Place.whole(log.state().dataset().grid())
                        : Place.parse(mesh, log.state().dataset().grid());
        try (StepReader reader = open(log, place, allocator, fetchers);
                StepSink sink = sink(log, allocator)) {
            while (sink.isOpen()) {
                Optional<StepBatch> next = reader.next(wait);
                if (next.isEmpty()) {
                    break;
                }
                try (StepBatch batch = next.get()) {
                    sink.take(batch);
                    newest = batch.step();
                }
            }
            sink.end();
        }
        return ExitCode.OK;
    }

    private StepSink sink(Log log, BufferAllocator allocator) {
        return arrow ? new ArrowSink(log, allocator, output.bytes()) : new LineSink(log, output);
    }

    private StepReader open(
            Log log, Place place, BufferAllocator allocator, ExecutorService fetchers) {
        Optional<Cursor> resumed = Optional.ofNullable(cursor).map(Cursor::parse);
        Optional<Session> in = session(log, resumed);
        if (in.isPresent()) {
            return open(log, place, in.get(), resumed, allocator, fetchers);
        }
        if (resumed.isPresent()) {
            ReadLimits limits = limits(resumed.get().nextStep(), StepRanges.NONE);
            return StepReader.resume(log, place, resumed.get(), limits, allocator, fetchers);
        }
        long start = from == null ? 0 : from;
        checkNotBeyondEnd(start, log.state());
        return StepReader.open(
                log, place, start, limits(start, StepRanges.NONE), allocator, fetchers);
    }

    /** The session that is named, or else the one that the cursor was taken in. */
    private Optional<Session> session(Log log, Optional<Cursor> resumed) {
        if (session != null) {
            return Optional.of(new Jobs(log).open(job).session(session));
        }
        return resumed.filter(Cursor::isOfASession)
                .map(taken -> new Jobs(log).open(taken.job()).session(taken.session()));
    }

    private StepReader open(
            Log log,
            Place place,
            Session in,
            Optional<Cursor> resumed,
            BufferAllocator allocator,
            ExecutorService fetchers) {
        long start = resumed.map(Cursor::nextStep).orElse(in.start().nextStep());
        ReadLimits limits = limits(start, in.passed());
        return resumed.isPresent()
                ? StepReader.resume(log, place, in, resumed.get(), limits, allocator, fetchers)
                : StepReader.open(log, place, in, limits, allocator, fetchers);
    }

    /** At its very end a dataset gives nothing; who asks for a step behind that is mistaken. */
    private void checkNotBeyondEnd(long start, State state) {
        if (state.phase() == State.Phase.SEALED && start > state.nextStep()) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + dataset
                            + " from step "
                            + start
                            + ": it was sealed after "
                            + state.nextStep()
                            + " steps");
        }
    }

    /** So many steps from the start on, not counting those that are passed over. */
    private ReadLimits limits(long start, StepRanges passed) {
        if (steps == null) {
            return ReadLimits.DEFAULT;
        }
        long end = start + Math.min(steps, Long.MAX_VALUE - start);
        for (StepRange range : passed.from(start).ranges()) {
            end = range.first() < end ? end + Math.min(range.count(), Long.MAX_VALUE - end) : end;
        }
        return ReadLimits.DEFAULT.endingAt(end);
    }

    @Override
    public String interrupt() {
        return newest < 0
                ? "no step was printed; run the same again"
                : "the last step printed is " + newest + "; go on with --from " + (newest + 1);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "fetch");
        thread.setDaemon(true);
        return thread;
    }
}
