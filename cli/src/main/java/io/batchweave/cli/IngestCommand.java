package io.batchweave.cli;

import io.batchweave.cli.ingest.IngestSettings;
import io.batchweave.cli.ingest.Inputs;
import io.batchweave.cli.ingest.TokenSource;
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

/** Turns text into global batches of packed tokens. */
@Command(
        name = "ingest",
        mixinStandardHelpOptions = true,
        description = {
            "Tokenize text and publish it as global batches of packed tokens.",
            "A text file is one document, a JSON line is one document; one separator token follows each.",
            "Killed at any moment and run again, it goes on where the log says, without gap or repeat."
        })
final class IngestCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(index = "0", paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILES",
            description =
                    "Text and JSONL files, folders, or quoted patterns such as 'corpus/**/*.txt'.")
    private List<String> files;

    @Option(
            names = "--producer",
            required = true,
            paramLabel = "ID",
            description = "The producer's identity.")
    private String producer;

    @Option(
            names = "--tokenizer",
            defaultValue = "cl100k_base",
            paramLabel = "NAME",
            description = "Vocabulary that makes tokens of text. Default: ${DEFAULT-VALUE}")
    private String tokenizer;

    @Option(
            names = "--seq-len",
            defaultValue = "2048",
            paramLabel = "TOKENS",
            description = "Tokens in a row. Default: ${DEFAULT-VALUE}")
    private int seqLen;

    @Option(
            names = "--rows-per-slice",
            defaultValue = "1",
            paramLabel = "ROWS",
            description = "Rows in a slice. Default: ${DEFAULT-VALUE}")
    private int rowsPerSlice;

    @Option(
            names = "--field",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Of each JSON line, the fields that hold its text, joined by a line break.")
    private List<String> fields = List.of();

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

    @Override
    public Integer call() {
        if (!(rate > 0)) {
            throw new InvalidRequestException("Invalid --rate " + rate + ": use more than 0");
        }
        IngestSettings settings = new IngestSettings(tokenizer, seqLen, rowsPerSlice, fields);
        Inputs inputs = Inputs.of(files);
        ExecutorService committer = Executors.newSingleThreadExecutor();
        try (BufferAllocator allocator = new RootAllocator()) {
            return warehouse.run(store -> ingest(store, inputs, settings, committer, allocator));
        } finally {
            committer.shutdown();
        }
    }

    private ExitCode ingest(
            CountingStore store,
            Inputs inputs,
            IngestSettings settings,
            ExecutorService committer,
            BufferAllocator allocator) {
        Log log = warehouse.open(store, dataset);
        checkSchema(log);
        checkAdmitted(log);
        Ingested ingested =
                isDone(log, inputs, settings)
                        ? Ingested.NOTHING
                        : publish(log, inputs, settings, committer, allocator);
        end(log, ingested);
        return ExitCode.OK;
    }

    private Ingested publish(
            Log log,
            Inputs inputs,
            IngestSettings settings,
            ExecutorService committer,
            BufferAllocator allocator) {
        try (Producer incarnation =
                        Producer.open(log, producer, ProducerLimits.DEFAULT, committer);
                TokenSource source = source(inputs, settings, incarnation.progress());
                TokenSlice slice = new TokenSlice(incarnation.schema(), allocator);
                Progress progress = new Progress("batches published", warehouse.world().clock())) {
            return new TokenIngest(incarnation, source, slice, progress, warehouse.world(), rate)
                    .run();
        }
    }

    private void checkSchema(Log log) {
        if (!log.state().dataset().schema().equals(PayloadSchema.tokens().json())) {
            throw new InvalidRequestException(
                    "Cannot ingest text into "
                            + dataset
                            + ": its schema is not that of token sequences;"
                            + " create a dataset with --tokens");
        }
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

    /**
     * Whether the producer has finished with these inputs. Looking before opening also refuses bad
     * inputs before they fence an incarnation that is at work.
     */
    private boolean isDone(Log log, Inputs inputs, IngestSettings settings) {
        Optional<ProducerState> known = log.state().producer(producer);
        Bytes progress = known.map(ProducerState::progress).orElse(Bytes.EMPTY);
        try (TokenSource source = source(inputs, settings, progress)) {
            return known.map(ProducerState::finished).orElse(false)
                    && !source.fill(source.newBlock());
        }
    }

    private static TokenSource source(Inputs inputs, IngestSettings settings, Bytes progress) {
        return progress.length() == 0
                ? TokenSource.start(inputs, settings)
                : TokenSource.resume(inputs, settings, progress);
    }

    /** Seals if that was asked for, and tells what was published even if it may not. */
    private void end(Log log, Ingested ingested) {
        State state = log.catchUp();
        if (seal && state.unfinished().isEmpty()) {
            state = log.append(List.of(new Seal(SealCondition.ALL_FINISHED)));
        }
        report(ingested, state.phase() == State.Phase.SEALED);
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

    private void report(Ingested ingested, boolean sealed) {
        String done =
                ingested.batches() == 0
                        ? "Nothing to do: producer " + producer + " has published all of it before"
                        : "Published "
                                + Output.count(ingested.batches(), "batch", "batches")
                                + " with "
                                + Output.count(ingested.tally().tokens(), "token", "tokens")
                                + " of "
                                + Output.count(
                                        ingested.tally().documents(), "document", "documents")
                                + " to "
                                + dataset
                                + " as producer "
                                + producer
                                + ", the last as step "
                                + ingested.newestStep();
        output.print(
                Output.object(
                        "dataset",
                        dataset,
                        "producer",
                        producer,
                        "batches",
                        ingested.batches(),
                        "tokens",
                        ingested.tally().tokens(),
                        "documents",
                        ingested.tally().documents(),
                        "sealed",
                        sealed),
                done + (sealed ? "; the dataset is sealed" : ""));
    }
}
