package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.state.State;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Seals a dataset. */
@Command(
        name = "seal",
        mixinStandardHelpOptions = true,
        description = "Seal a dataset now: no step follows, and every rank ends at the same one.")
final class SealCommand implements Callable<Integer>, Interruptible {
    @Mixin private WarehouseOptions warehouse;
    @Mixin private Output output;

    @Parameters(paramLabel = "NS.NAME", description = "The dataset.")
    private String dataset;

    @Override
    public Integer call() {
        return warehouse.run(
                store -> {
                    Log log = warehouse.open(store, dataset);
                    State state = log.append(List.of(new Seal(SealCondition.NONE)));
                    output.print(
                            Output.object("dataset", dataset, "steps", state.nextStep()),
                            "Sealed "
                                    + dataset
                                    + " after "
                                    + Output.count(state.nextStep(), "step", "steps"));
                    return ExitCode.OK;
                });
    }

    @Override
    public String interrupt() {
        return "the dataset may be sealed or not; run the same again";
    }
}
