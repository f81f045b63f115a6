package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.Totals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Tells how a dataset stands. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description =
                "Tell how a dataset stands: steps, rows, bytes, tokens, what is swept, each producer, what each"
                        + " job keeps from being deleted and how far it is behind, skips and settings.")
final class StatusCommand implements Callable<Integer> {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    print(warehouse.open(store, dataset));
                    return ExitCode.OK;
                });
    }

    private void print(Log log) {
        State state = log.state();
        Totals totals = state.steps().totals();
        Map<String, Long> counts = new LinkedHashMap<>();
        totals.counts().forEach(count -> counts.put(count.name(), count.value()));
        String phase = state.phase().name().toLowerCase(Locale.ROOT);
        List<Map<String, Object>> producers = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        "%s  %s%n  id         %s%n  grid       %s%n  version    %d%n  steps      %d%n  rows       %d%n"
                                + "  bytes      %d%n",
                        dataset,
                        phase,
                        state.dataset().id(),
                        state.dataset().grid(),
                        state.version(),
                        state.nextStep(),
                        totals.rows(),
                        totals.bytes()));
        counts.forEach((name, value) -> text.append(String.format("  %-10s %d%n", name, value)));
        long low = state.lowStep();
        long sweptBytes = low == 0 ? 0 : log.bytesFrom(0) - log.bytesFrom(low);
        if (low > 0) {
            text.append(
                    String.format(
                            "  swept      %s (%d bytes); the first that is kept is %d%n",
                            Output.count(low, "step", "steps"), sweptBytes, low));
        }
        state.producers()
                .forEach(
                        (name, producer) -> {
                            producers.add(object(name, producer));
                            text.append(line(name, producer));
                        });
        ReaderStatus readers = new ReaderStatus(log);
        readers.lines().forEach(line -> text.append("  ").append(line).append('\n'));
        output.print(
                Output.object(
                        "dataset",
                        dataset,
                        "id",
                        state.dataset().id(),
                        "phase",
                        phase,
                        "grid",
                        state.dataset().grid().toString(),
                        "version",
                        state.version(),
                        "steps",
                        state.nextStep(),
                        "rows",
                        totals.rows(),
                        "bytes",
                        totals.bytes(),
                        "counts",
                        counts,
                        "low_step",
                        low,
                        "swept_step",
                        state.kept().sweptStep(),
                        "swept_bytes",
                        sweptBytes,
                        "receipt",
                        state.receipt().toHex(),
                        "declared_producers",
                        state.dataset().producers(),
                        "producers",
                        producers,
                        "settings",
                        SettingText.object(state.settings()),
                        "jobs",
                        readers.jobs(),
                        "skips",
                        readers.skips()),
                text.toString().stripTrailing());
    }

    private static Map<String, Object> object(String name, ProducerState producer) {
        return Output.object(
                "producer", name,
                "epoch", producer.epoch(),
                "next_sequence", producer.nextSequence(),
                "steps", producer.steps(),
                "finished", producer.finished(),
                "last_activity", producer.lastActivity().toString());
    }

    private static String line(String name, ProducerState producer) {
        return String.format(
                "  producer %s  epoch %d  steps %d  %s  last activity %s%n",
                name,
                producer.epoch(),
                producer.steps(),
                producer.finished() ? "finished" : "open",
                producer.lastActivity());
    }
}
