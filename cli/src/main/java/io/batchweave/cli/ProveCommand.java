package io.batchweave.cli;

import io.batchweave.cli.verify.Proof;
import io.batchweave.cli.verify.Proof.Payload;
import io.batchweave.cli.verify.Prover;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Names;
import io.batchweave.model.Part;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.model.StepRange;
import io.batchweave.state.StepRecord;
import java.util.ArrayList;
import java.util.EnumMap;
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

/** Proves what a model was trained on. */
@Command(
        name = "prove",
        mixinStandardHelpOptions = true,
        description = {
            "Prove what the model of a checkpoint was trained on: each step with its payload's digests and"
                    + " its inputs, what was skipped, and that the receipt which the trainers gave is that"
                    + " of just these steps.",
            "The log is replayed from its first commit. Payload that is still there is read and compared;"
                    + " the proof stands without it."
        })
final class ProveCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Option(
            names = "--checkpoint",
            required = true,
            paramLabel = "ID",
            description = "The checkpoint; it need not be kept any more.")
    private String checkpoint;

    @Option(
            names = "--job",
            paramLabel = "JOB",
            defaultValue = "",
            description = "Whose it is, if several jobs made one of that name.")
    private String job;

    @Option(names = "--log-only", description = "Do not read payload.")
    private boolean logOnly;

    private final Map<Payload, Long> counts = new EnumMap<>(Payload.class);
    private final List<String> findings = new ArrayList<>();

    @Override
    public Integer call() {
        DatasetName name = DatasetName.parse(dataset);
        try (BufferAllocator allocator = new RootAllocator()) {
            return warehouse.run(
                    store -> {
                        Prover prover = new Prover(store, name, allocator);
                        Proof proof = prover.prove(checkpoint, job);
                        if (logOnly) {
                            prover.steps(proof, this::print);
                        } else {
                            prover.stepsAndPayload(proof, this::print);
                        }
                        print(proof);
                        return findings.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
                    });
        }
    }

    private void print(Proof.Step step) {
        StepRecord record = step.record();
        counts.merge(step.payload(), 1L, Long::sum);
        if (step.payload() == Payload.CHANGED) {
            findings.add("step " + record.step() + ": " + step.why());
        }
        List<String> digests =
                record.batch().parts().stream().map(Part::digest).map(Object::toString).toList();
        List<Map<String, Object>> sources = new ArrayList<>();
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < step.provenance().sources().size(); i++) {
            Source source = step.provenance().sources().get(i);
            sources.add(
                    Output.object(
                            "input", source.input(),
                            "digest", source.digest().toHex(),
                            "epoch", source.epoch(),
                            "rows", rows(step.provenance().rows(), i)));
            inputs.add(Names.onOneLine(source.input()));
        }
        output.print(
                Output.object(
                        "step", record.step(),
                        "version", record.version(),
                        "producer", record.claim().producer(),
                        "epoch", record.claim().epoch(),
                        "sequence", record.claim().sequence(),
                        "digests", digests,
                        "payload", word(step.payload()),
                        "sources", sources,
                        "chain", record.receipt().toHex()),
                String.format(
                        "step %d  %s  sha256 %s  payload %s%s",
                        record.step(),
                        record.claim(),
                        String.join(" ", digests),
                        word(step.payload()),
                        inputs.isEmpty() ? "" : "  from " + String.join(", ", inputs)));
    }

    /** Ranges of rows of one source; a row that is packed across slices is in two of them. */
    private static List<Map<String, Object>> rows(List<SourceRows> rows, int source) {
        return rows.stream()
                .filter(range -> range.source() == source)
                .map(range -> Output.object("first", range.first(), "rows", range.rows()))
                .toList();
    }

    private static String word(Payload payload) {
        return payload.name().toLowerCase(Locale.ROOT);
    }

    private void print(Proof proof) {
        if (!proof.holds()) {
            findings.add(
                    "the receipt of checkpoint %s is %s, and what the log gives up to step %d has %s"
                            .formatted(
                                    proof.checkpoint(),
                                    proof.said(),
                                    proof.nextStep(),
                                    proof.found()));
        }
        List<Map<String, Object>> skips = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Proof.Passed passed : proof.reasons()) {
            for (StepRange range : passed.steps().ranges()) {
                skips.add(
                        Output.object(
                                "first", range.first(),
                                "last", range.last(),
                                "reason", passed.reason()));
                text.append("skipped %s  %s%n".formatted(range, Names.onOneLine(passed.reason())));
            }
        }
        findings.forEach(finding -> text.append("wrong: ").append(finding).append('\n'));
        long steps = counts.values().stream().mapToLong(Long::longValue).sum();
        text.append(
                "checkpoint %s of job %s: %s, from %d to below %d; receipt %s; %s"
                        .formatted(
                                proof.checkpoint(),
                                proof.job(),
                                Output.count(steps, "step", "steps"),
                                proof.attachedAt(),
                                proof.nextStep(),
                                proof.found(),
                                findings.isEmpty()
                                        ? "the chain holds" + payloadText()
                                        : Output.wrong(findings.size())));
        output.print(
                Output.object(
                        "dataset", dataset,
                        "job", proof.job(),
                        "session", proof.session(),
                        "checkpoint", proof.checkpoint(),
                        "from_step", proof.attachedAt(),
                        "next_step", proof.nextStep(),
                        "steps", steps,
                        "skips", skips,
                        "receipt", proof.said().toHex(),
                        "holds", proof.holds(),
                        "payload_same", counts.getOrDefault(Payload.SAME, 0L),
                        "payload_swept", counts.getOrDefault(Payload.SWEPT, 0L),
                        "payload_gone", counts.getOrDefault(Payload.GONE, 0L),
                        "payload_changed", counts.getOrDefault(Payload.CHANGED, 0L),
                        "findings", findings),
                text.toString());
    }

    private String payloadText() {
        if (logOnly) {
            return "; payload was not read";
        }
        String missing = payloadText(Payload.SWEPT) + payloadText(Payload.GONE);
        return missing.isEmpty()
                ? ", and all payload is as published"
                : missing + ", all other is as published";
    }

    private String payloadText(Payload payload) {
        long steps = counts.getOrDefault(payload, 0L);
        return steps == 0
                ? ""
                : "; payload of " + Output.count(steps, "step", "steps") + " is " + word(payload);
    }
}
