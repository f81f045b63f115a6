package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Setting;
import io.batchweave.state.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Changes settings. */
@Command(
        name = "alter",
        mixinStandardHelpOptions = true,
        description = "Change settings of a dataset; those that are not named stay as they are.")
final class AlterCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(index = "0", paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY=VALUE",
            description = {
                "retention=checkpoints: keep what attached jobs may need; retention=forever: keep all.",
                "keep-steps=N, keep-for=DURATION: keep the newest steps, or the young ones (7d), besides;"
                        + " 0: none.",
                "max-lead=N: producers wait when they are N steps ahead of the slowest job's newest"
                        + " checkpoint; 0: never. Jobs must make checkpoints more often than that."
            })
    private List<String> changes;

    @Override
    public Integer call() {
        List<Setting> settings =
                changes.stream().map(change -> SettingText.parse(change, dataset)).toList();
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    print(log.append(List.of(new Alter(settings))).settings());
                    return ExitCode.OK;
                });
    }

    private void print(Settings settings) {
        output.print(
                Output.object("dataset", dataset, "settings", SettingText.object(settings)),
                dataset
                        + " has "
                        + SettingText.all(settings).stream()
                                .map(SettingText::of)
                                .collect(Collectors.joining(" ")));
    }

    @Override
    public String interrupt() {
        return "the settings may be changed or not; run the same again";
    }
}
