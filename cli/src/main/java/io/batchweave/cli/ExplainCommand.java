package io.batchweave.cli;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.rows.OriginalRows;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells which rows of which inputs a step was made of. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Tell which rows of which inputs a step was made of, in the order in which they are in it,"
                    + " and who skips it: sessions that start from now on, and those of jobs.",
            "Rows are counted from 0 in their input; of JSON lines, those that are not blank. A text file"
                    + " is one row. Of tokens, a row may be in a slice in part."
        })
final class ExplainCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(names = "--step", required = true, paramLabel = "STEP", description = "The step.")
    private long step;

    @Option(names = "--slice", paramLabel = "INDEX", description = "Only this slice of the grid.")
    private Integer slice;

    @Option(
            names = "--rows",
            description =
                    "Print the rows themselves, read again from their inputs, one a line: JSON lines as"
                            + " they are, others as JSON.")
    private boolean rows;

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "With --rows, the path or URI of an input that has moved since; it is known by its"
                            + " content. May be repeated.")
    private List<String> moved = List.of();

    @Option(
            names = "--field",
            split = ",",
            paramLabel = "NAME",
            description = "With --rows, of text in Parquet and Arrow, the columns that hold it.")
    private List<String> fields = List.of();

    /** Whether payload of the step is not kept any more. */
    private boolean swept;

    @Override
    public Integer call() {
        if (!rows && !(moved.isEmpty() && fields.isEmpty())) {
            throw new InvalidRequestException(
                    "Cannot use --input or --field without --rows: no input is read; add it, or"
                            + " leave them out");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    swept = step < log.state().lowStep();
                    explain(log, found(log));
                    return ExitCode.OK;
                });
    }

    private StepRecord found(Log log) {
        State state = log.state();
        if (step < 0 || step >= state.nextStep()) {
            throw new InvalidRequestException(
                    "Cannot explain step %d of %s: %s"
                            .formatted(
                                    step,
                                    dataset,
                                    state.nextStep() == 0
                                            ? "no step is published"
                                            : "it has the steps 0 to " + (state.nextStep() - 1)));
        }
        int slices = state.dataset().grid().slices();
        if (slice != null && (slice < 0 || slice >= slices)) {
            throw new InvalidRequestException(
                    "Cannot explain slice %d of %s: its grid %s has the slices 0 to %d"
                            .formatted(slice, dataset, state.dataset().grid(), slices - 1));
        }
        return log.step(step);
    }

    private void explain(Log log, StepRecord record) {
        Provenance provenance = provenance(log, record);
        if (provenance.sources().isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot explain step %d of %s: its producer %s did not tell where its rows come from"
                            .formatted(step, dataset, record.claim().producer()));
        }
        List<SourceRows> wanted =
                provenance.rows().stream()
                        .filter(each -> slice == null || each.slice() == slice)
                        .toList();
        if (rows) {
            // These are the rows and nothing else, so that they can be ingested again.
            printRows(log.state(), provenance, wanted);
        } else {
            StepSkips skips = new StepSkips(log.state(), step);
            if (swept) {
                output.say("step %d is swept: its payload is not kept".formatted(step));
            }
            skips.lines().forEach(output::say);
            wanted.forEach(each -> print(provenance.sources().get(each.source()), each, skips));
        }
    }

    private static Provenance provenance(Log log, StepRecord record) {
        return log.read(record.version()).stream()
                .flatMap(commit -> commit.entries().stream())
                .filter(Publish.class::isInstance)
                .map(Publish.class::cast)
                .filter(publish -> publish.claim().equals(record.claim()))
                .map(publish -> publish.batch().provenance())
                .findFirst()
                .orElse(Provenance.NONE);
    }

    private void print(Source source, SourceRows range, StepSkips skips) {
        output.print(
                Output.object(
                        "step", step,
                        "swept", swept,
                        "slice", range.slice(),
                        "input", source.input(),
                        "digest", source.digest().toHex(),
                        "epoch", source.epoch(),
                        "first", range.first(),
                        "rows", range.rows(),
                        "amount", range.amount(),
                        "skips", skips.skips(),
                        "sessions", skips.sessions()),
                String.format(
                        "slice %d  %s  epoch %d  %s  amount %d  sha256 %s",
                        range.slice(),
                        source.input(),
                        source.epoch(),
                        range.rows() == 1
                                ? "row " + range.first()
                                : "rows %d to %d"
                                        .formatted(range.first(), range.first() + range.rows() - 1),
                        range.amount(),
                        source.digest().toHex()));
    }

    private void printRows(State state, Provenance provenance, List<SourceRows> wanted) {
        try (BufferAllocator allocator = new RootAllocator();
                Locations locations = Locations.in(warehouse.world())) {
            OriginalRows original = original(state, locations, allocator);
            moved.forEach(original::lookAt);
            Map<Integer, Map<Long, String>> found = original.read(provenance, wanted);
            for (SourceRows range : wanted) {
                for (long row = range.first(); row < range.first() + range.rows(); row++) {
                    printRow(provenance.sources().get(range.source()), range, row, found);
                }
            }
        }
    }

    private void printRow(
            Source source, SourceRows range, long row, Map<Integer, Map<Long, String>> found) {
        String content = found.get(range.source()).get(row);
        if (content == null) {
            throw new InvalidRequestException(
                    "Cannot read row %d of %s again: it has fewer, though its content has not changed; use the release that ingested it"
                            .formatted(row, source.input()));
        }
        output.print(
                Output.object(
                        "step",
                        step,
                        "swept",
                        swept,
                        "slice",
                        range.slice(),
                        "input",
                        source.input(),
                        "epoch",
                        source.epoch(),
                        "row",
                        row,
                        "content",
                        content),
                content);
    }

    private OriginalRows original(State state, Locations locations, BufferAllocator allocator) {
        PayloadSchema schema = PayloadSchema.parse(state.dataset().schema());
        if (schema.equals(PayloadSchema.tokens())) {
            return OriginalRows.ofTexts(locations, fields, allocator);
        }
        if (!fields.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot use --field for "
                            + dataset
                            + ": its schema is not that of token sequences, and rows are printed with"
                            + " its columns; leave the option out");
        }
        return OriginalRows.of(locations, schema, allocator);
    }
}
