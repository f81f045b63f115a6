package io.batchweave.cli;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.util.List;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How text becomes tokens: the options of an ingest into a dataset of packed tokens. */
final class TokenOptions {
    private static final String[] NAMES = {"--tokenizer", "--seq-len", "--field"};

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--tokenizer",
            defaultValue = "cl100k_base",
            paramLabel = "NAME",
            description = "Of text, the tokenizer. Default: ${DEFAULT-VALUE}")
    private String tokenizer;

    @Option(
            names = "--seq-len",
            defaultValue = "2048",
            paramLabel = "TOKENS",
            description = "Of text, the tokens in a row. Default: ${DEFAULT-VALUE}")
    private int seqLen;

    @Option(
            names = "--field",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Of each JSON line, and of each row of Parquet and Arrow, the fields that hold"
                            + " its text, joined by a line break.")
    private List<String> fields = List.of();

    /** How to go on from committed progress. */
    Function<Bytes, SliceSource> source(
            Inputs inputs, int rowsPerSlice, RowOrder order, BufferAllocator allocator) {
        IngestSettings settings = new IngestSettings(tokenizer, seqLen, rowsPerSlice, fields);
        return new TextSources(inputs, settings, order, allocator);
    }

    /** Refuses options that would do nothing. */
    void refuseAny(String dataset) {
        for (String name : NAMES) {
            if (command.commandLine().getParseResult().hasMatchedOption(name)) {
                throw new InvalidRequestException(
                        "Cannot use "
                                + name
                                + " for "
                                + dataset
                                + ": its schema is not that of token sequences; create a dataset with"
                                + " --tokens, or leave the option out");
            }
        }
    }
}
