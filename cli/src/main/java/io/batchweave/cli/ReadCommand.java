package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.read.Cursor;
import io.batchweave.read.Place;
import io.batchweave.read.ReadLimits;
import io.batchweave.read.StepBatch;
import io.batchweave.read.StepReader;
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
final class ReadCommand implements Callable<Integer> {
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
                    "Resume where this cursor was given out (see --json); refused on another history.")
    private String cursor;

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

    @Override
    public Integer call() {
        if (from != null && cursor != null) {
            throw new InvalidRequestException(
                    "Cannot use both --from and --cursor: name one place to start");
        }
        ExecutorService fetchers = Executors.newFixedThreadPool(FETCHERS, ReadCommand::daemon);
        try (BufferAllocator allocator = new RootAllocator()) {
            return warehouse.run(store -> read(store, allocator, fetchers));
        } finally {
            fetchers.shutdown();
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
                StepSink sink = arrow ? new ArrowSink(log, allocator) : new LineSink(log, output)) {
            while (sink.isOpen()) {
                Optional<StepBatch> next = reader.next(wait);
                if (next.isEmpty()) {
                    break;
                }
                try (StepBatch batch = next.get()) {
                    sink.take(batch);
                }
            }
        }
        return ExitCode.OK;
    }

    private StepReader open(
            Log log, Place place, BufferAllocator allocator, ExecutorService fetchers) {
        if (cursor != null) {
            Cursor start = Cursor.parse(cursor);
            return StepReader.resume(
                    log, place, start, limits(start.nextStep()), allocator, fetchers);
        }
        long start = from == null ? 0 : from;
        return StepReader.open(log, place, start, limits(start), allocator, fetchers);
    }

    private ReadLimits limits(long start) {
        return steps == null
                ? ReadLimits.DEFAULT
                : ReadLimits.DEFAULT.endingAt(Math.addExact(start, Math.max(0, steps)));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "fetch");
        thread.setDaemon(true);
        return thread;
    }
}
