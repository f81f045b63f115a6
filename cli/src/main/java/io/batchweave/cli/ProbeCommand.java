package io.batchweave.cli;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.ProbeReport;
import io.batchweave.store.ProbeReport.Finding;
import io.batchweave.store.ProbeReport.Use;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tries what a store does. */
@Command(
        name = "probe",
        mixinStandardHelpOptions = true,
        description = {
            "Try what a store does, many at once, and say what can be done on it.",
            "It writes below 'probe/' there, and removes what it wrote."
        })
final class ProbeCommand implements Callable<Integer>, Interruptible {
    @Mixin private Output output;

    @Parameters(paramLabel = "URI", description = "Folder or URI of a warehouse.")
    private String uri;

    private final World world = World.real();

    @Override
    public Integer call() {
        try (ObjectStore store = Stores.open(uri, world)) {
            ProbeReport report = Probe.of(store, "probe/" + world.newId(), Probe.Effort.THOROUGH);
            print(report);
            return (report.isFit() ? ExitCode.OK : ExitCode.FOUND).code();
        }
    }

    private void print(ProbeReport report) {
        Map<String, Boolean> checks = new LinkedHashMap<>();
        Map<String, String> details = new LinkedHashMap<>();
        Map<String, Boolean> uses = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder(report.uri()).append('\n');
        for (Finding finding : report.findings()) {
            String name = finding.check().name().toLowerCase(Locale.ROOT);
            checks.put(name, finding.holds());
            details.put(name, finding.detail());
            text.append(row(finding.holds(), finding.check().promise()));
            text.append("       ").append(finding.detail()).append('\n');
        }
        text.append("\nBatchWeave can:\n");
        for (Use use : Use.values()) {
            boolean can = report.broken(use).isEmpty();
            uses.put(use.name().toLowerCase(Locale.ROOT), can);
            text.append(row(can, use.toString()));
        }
        output.print(
                Output.object(
                        "store", report.uri(), "checks", checks, "details", details, "can", uses),
                text.toString().stripTrailing());
    }

    private static String row(boolean holds, String what) {
        return String.format("  %-3s  %s%n", holds ? "yes" : "NO", what);
    }

    @Override
    public String interrupt() {
        return "what it wrote below 'probe/' may still be there; it harms nobody";
    }
}
