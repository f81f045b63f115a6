package io.batchweave.cli;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.rows.TextRows;
import io.batchweave.cli.rows.feed.OrderedInputs;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Bytes;
import io.batchweave.model.Dataset;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.store.CountingStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes what files hold: text as packed tokens, rows as they are. */
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        description = {
            "Publish what files hold as global batches; what is done with them is said by the dataset's schema.",
            "With --tokens, text is tokenized and packed: a text file is one document, a JSON line is one"
                    + " document, and so is a row of Parquet or Arrow; one separator token follows"
                    + " each.",
            "With --schema, rows are taken as they are, from Parquet, from Arrow IPC files and streams"
                    + " (Feather) and from JSON lines (also .gz and .zst), told by their first bytes;"
                    + " columns are found by name, others passed over, and nothing is changed with loss."
                    + " At the end of the inputs the last batch's slices have fewer rows, or none, so"
                    + " that every rank has a slice and no row is lost.",
            "Killed at any moment and run again, it goes on where the log says, without gap or repeat."
        })
final class IngestCommand implements Callable<Integer>, Interruptible {
    /** How many batches are uploaded at the same time. */
    private static final int UPLOADERS = 4;

    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(index = "0", paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILES",
            description =
                    "Files, folders, or quoted patterns such as 'corpus/**/*.txt'; also on a store,"
                            + " such as s3://bucket/corpus. A line of JSON has at most 16 MiB.")
    private List<String> files;

    @Option(
            names = "--producer",
            required = true,
            paramLabel = "ID",
            description = "The producer's identity.")
    private String producer;

    @Mixin private TokenOptions tokens;

    @Mixin private OrderOptions orders;

    @Option(
            names = "--rows-per-slice",
            paramLabel = "ROWS",
            description = "Rows in a slice. Default for text: 1")
    private Integer rowsPerSlice;

    @Option(
            names = "--bytes-per-slice",
            paramLabel = "BYTES",
            description =
                    "Of rows, instead of --rows-per-slice: a slice ends with the row that brings its"
                            + " values to so many bytes.")
    private Long bytesPerSlice;

    @Option(
            names = "--seal",
            description =
                    "Seal the dataset at the end; refused while another producer is unfinished.")
    private boolean seal;

    @Option(
            names = "--rate",
            paramLabel = "BATCHES",
            description = "Publish at most this many batches a second. Default: no limit")
    private double rate = Double.POSITIVE_INFINITY;

    @Mixin private FoldingOptions folds;

    @Override
    public Integer call() {
        folds.check();
        if (!(rate > 0)) {
            throw new InvalidRequestException("Invalid --rate " + rate + ": use more than 0");
        }
        ExecutorService committer = Executors.newFixedThreadPool(UPLOADERS);
        try (BufferAllocator allocator = new RootAllocator();
                Locations locations = Locations.in(warehouse.world())) {
            return warehouse.run(store -> ingest(store, committer, locations, allocator));
        } finally {
            committer.shutdown();
        }
    }

    private ExitCode ingest(
            CountingStore store,
            ExecutorService committer,
            Locations locations,
            BufferAllocator allocator) {
        Log log = warehouse.open(store, dataset);
        checkAdmitted(log);
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        Inputs inputs =
                schema.equals(PayloadSchema.tokens())
                        ? TextRows.inputs(locations, files)
                        : RowSource.inputs(locations, files);
        Function<Bytes, SliceSource> sources = sources(schema, inputs, allocator);
        try (Folding folding = folds.start(warehouse, store, dataset)) {
            State state = end(log, publish(log, inputs, sources, committer, folding));
            folding.finish();
            demandSealed(state);
        }
        return ExitCode.OK;
    }

    /**
     * Looks at the inputs before the producer is opened. So bad ones are refused before they fence
     * an incarnation that is at work; and a new producer is made known only when its first batch
     * can be made: one that never publishes would keep all others from sealing.
     */
    private Ingested publish(
            Log log,
            Inputs inputs,
            Function<Bytes, SliceSource> opener,
            ExecutorService committer,
            Folding folding) {
        Optional<ProducerState> known = log.state().producer(producer);
        Bytes progress = known.map(ProducerState::progress).orElse(Bytes.EMPTY);
        try (ResumedSource sources = new ResumedSource(opener, progress)) {
            if (known.map(ProducerState::finished).orElse(false) && !sources.next()) {
                return Ingested.nothing(sources.counts());
            }
            if (known.isEmpty()) {
                readBatch(sources, log.state().dataset().grid().slices());
            }
            return publish(log, inputs, sources, committer, folding);
        }
    }

    private static void readBatch(ResumedSource sources, int slices) {
        for (int slice = 0; slice < slices && sources.next(); slice++) {
            // What is wrong in it is refused.
        }
    }

    private Ingested publish(
            Log log,
            Inputs inputs,
            ResumedSource sources,
            ExecutorService committer,
            Folding folding) {
        try (Producer incarnation =
                        Producer.open(
                                log,
                                producer,
                                ProducerLimits.DEFAULT,
                                committer,
                                folding::committed);
                Progress progress = new Progress("batches published", warehouse.world().clock())) {
            SliceSource source = sources.at(incarnation.progress());
            return new Ingest(incarnation, source, inputs, progress, warehouse.world(), rate).run();
        }
    }

    /** How to go on from committed progress, in the way the dataset's schema asks for. */
    private Function<Bytes, SliceSource> sources(
            PayloadSchema schema, Inputs inputs, BufferAllocator allocator) {
        if (schema.equals(PayloadSchema.tokens())) {
            if (bytesPerSlice != null) {
                throw new InvalidRequestException(
                        "Cannot use --bytes-per-slice for "
                                + dataset
                                + ": rows of packed tokens are all of one size; use"
                                + " --rows-per-slice");
            }
            return tokens.source(
                    inputs, rowsPerSlice == null ? 1 : rowsPerSlice, orders.order(), allocator);
        }
        tokens.refuseAny(dataset);
        RowSettings settings = settings();
        OrderedInputs ordered = OrderedInputs.of(inputs, orders.order(), schema, allocator);
        return progress ->
                new RowSlices(
                        progress.length() == 0
                                ? RowSource.start(ordered, settings)
                                : RowSource.resume(ordered, settings, progress));
    }

    private RowSettings settings() {
        if ((rowsPerSlice == null) == (bytesPerSlice == null)) {
            throw new InvalidRequestException(
                    "Cannot ingest into "
                            + dataset
                            + (rowsPerSlice == null ? " without" : " with two")
                            + " sizes of a slice: name either --rows-per-slice or"
                            + " --bytes-per-slice");
        }
        return rowsPerSlice == null
                ? new RowSettings.ByBytes(bytesPerSlice)
                : new RowSettings.ByRows(rowsPerSlice);
    }

    private void checkAdmitted(Log log) {
        Dataset described = log.state().dataset();
        if (!described.admits(producer)) {
            throw new InvalidRequestException(
                    "Cannot ingest into "
                            + dataset
                            + " as producer "
                            + producer
                            + ": it declares the producers "
                            + String.join(", ", described.producers())
                            + "; be one of them");
        }
    }

    /** Seals if that was asked for, and tells what was published even if it may not. */
    private State end(Log log, Ingested ingested) {
        State state = log.catchUp();
        if (seal && state.unfinished().isEmpty()) {
            state = log.append(List.of(new Seal(SealCondition.ALL_FINISHED)));
        }
        report(ingested, state);
        output.flush();
        return state;
    }

    private void demandSealed(State state) {
        if (seal && state.phase() == State.Phase.OPEN) {
            throw new InvalidRequestException(
                    "Cannot seal "
                            + dataset
                            + ": not finished: producer "
                            + String.join(", ", state.unfinished())
                            + "; let the last one to finish --seal, or 'seal' it whatever they do");
        }
    }

    @Override
    public String interrupt() {
        return "what was published stays; run the same again to go on from there";
    }

    private void report(Ingested ingested, State state) {
        boolean sealed = state.phase() == State.Phase.SEALED;
        Map<String, Object> result =
                Output.object(
                        "dataset", dataset, "producer", producer, "batches", ingested.batches());
        ingested.counts().forEach(count -> result.put(count.name(), count.value()));
        result.put("sealed", sealed);
        String done =
                ingested.batches() == 0
                        ? "Nothing to do: " + why(state)
                        : "Published "
                                + Output.count(ingested.batches(), "batch", "batches")
                                + " with "
                                + ingested.told()
                                + " to "
                                + dataset
                                + " as producer "
                                + producer
                                + ", the last as step "
                                + ingested.newestStep();
        output.print(result, done + (sealed ? "; the dataset is sealed" : ""));
    }

    /** Inputs that were empty all along must not pass for ones that are published. */
    private String why(State state) {
        long steps = state.producer(producer).map(ProducerState::steps).orElse(0L);
        return steps == 0
                ? "the inputs hold nothing for producer " + producer + " to publish"
                : "producer " + producer + " has published all of it before";
    }
}
