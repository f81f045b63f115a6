package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Commit;
import io.batchweave.model.Names;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.Verdict;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the commits and what each of their entries did. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = "List the commits, and what became of each of their entries.")
final class LogCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--from",
            paramLabel = "VERSION",
            defaultValue = "0",
            description = "First version. Default: 0")
    private long from;

    @Override
    public Integer call() {
        if (from < 0) {
            throw new InvalidRequestException("Invalid --from " + from + ": versions count from 0");
        }
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    State state = null;
                    for (long version = 0;
                            version <= log.state().version() && output.isOpen();
                            version++) {
                        Optional<Commit> commit = log.read(version);
                        if (commit.isEmpty()) {
                            break;
                        }
                        Applied applied =
                                state == null
                                        ? State.first(commit.get())
                                        : state.apply(commit.get());
                        if (version >= from) {
                            print(version, commit.get(), applied);
                        }
                        state = applied.state();
                    }
                    return ExitCode.OK;
                });
    }

    private void print(long version, Commit commit, Applied applied) {
        List<Map<String, Object>> entries = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        "version %d  %s  %s",
                        version, applied.state().time(), Names.printable(commit.writer())));
        for (int i = 0; i < commit.entries().size(); i++) {
            String what = EntryText.of(commit.entries().get(i));
            String became = describe(applied.verdicts().get(i));
            entries.add(Output.object("entry", what, "verdict", became));
            text.append(String.format("%n  %s: %s", what, became));
        }
        output.print(
                Output.object(
                        "version", version,
                        "id", commit.id(),
                        "time", commit.time().toString(),
                        "writer", commit.writer(),
                        "entries", entries),
                text.toString());
    }

    private static String describe(Verdict verdict) {
        if (verdict instanceof Published published) {
            return "step " + published.step();
        }
        return verdict instanceof Ignored ignored ? "without effect: " + ignored.why() : "done";
    }
}
