package io.batchweave.cli;

import io.batchweave.cli.verify.Finding;
import io.batchweave.cli.verify.Inventory;
import io.batchweave.cli.verify.Inventory.Left;
import io.batchweave.cli.verify.Report;
import io.batchweave.cli.verify.Verifier;
import io.batchweave.model.DatasetName;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a dataset. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description =
                "Replay the log, check every rule and every digest, and say what is wrong where.")
final class VerifyCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--deep",
            description =
                    "Also list every object, and say which nothing needs: those that the next sweep"
                            + " deletes, those that may still be committed, and those that are"
                            + " none of the format.")
    private boolean deep;

    @Override
    public Integer call() {
        DatasetName name = DatasetName.parse(dataset);
        try (BufferAllocator allocator = new RootAllocator();
                Progress progress = new Progress("steps checked", warehouse.world().clock())) {
            return warehouse.run(
                    store -> {
                        Report report = new Verifier(store, name, allocator, progress::at).verify();
                        progress.close();
                        // Where the log is damaged, nobody knows what is needed.
                        boolean listed = deep && report.clean();
                        List<Left> left =
                                listed
                                        ? new Inventory(warehouse.open(store, dataset)).left()
                                        : List.of();
                        print(report, listed, left);
                        return report.clean() ? ExitCode.OK : ExitCode.FOUND;
                    });
        }
    }

    private void print(Report report, boolean listed, List<Left> left) {
        List<Map<String, Object>> findings =
                report.findings().stream()
                        .map(
                                (Finding finding) ->
                                        Output.object(
                                                "object", finding.object(), "why", finding.why()))
                        .toList();
        StringBuilder text = new StringBuilder();
        report.findings().forEach(finding -> text.append("wrong: ").append(finding).append('\n'));
        if (deep && !listed) {
            text.append("not listed: what nothing needs; mend what is wrong first\n");
        }
        left.forEach(
                each ->
                        text.append(
                                "%s: %s (%s): %s%n"
                                        .formatted(
                                                name(each),
                                                each.object(),
                                                Output.count(each.bytes(), "byte", "bytes"),
                                                each.why())));
        text.append(
                String.format(
                        "%s: %s, %s%s, %s, %s checked; %s without effect, %s; %s",
                        dataset,
                        Output.count(report.commits(), "commit", "commits"),
                        Output.count(report.steps(), "step", "steps"),
                        report.swept() == 0 ? "" : " (" + report.swept() + " swept)",
                        Output.count(report.slices(), "slice", "slices"),
                        Output.count(report.bytes(), "byte", "bytes"),
                        Output.count(report.repeats(), "entry", "entries"),
                        Output.count(report.orphans(), "orphaned object", "orphaned objects"),
                        report.clean()
                                ? "nothing is wrong"
                                : Output.wrong(report.findings().size())));
        output.print(
                Output.object(
                        "dataset", dataset,
                        "clean", report.clean(),
                        "commits", report.commits(),
                        "steps", report.steps(),
                        "swept_steps", report.swept(),
                        "slices", report.slices(),
                        "bytes", report.bytes(),
                        "entries_without_effect", report.repeats(),
                        "orphans", report.orphans(),
                        "findings", findings,
                        "listed", listed,
                        "left", left.stream().map(VerifyCommand::json).toList()),
                text.toString());
    }

    private static Map<String, Object> json(Left left) {
        return Output.object(
                "object", left.object(),
                "bytes", left.bytes(),
                "purpose", name(left),
                "why", left.why());
    }

    private static String name(Left left) {
        return left.purpose().name().toLowerCase(Locale.ROOT);
    }
}
