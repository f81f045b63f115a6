package io.batchweave.sim;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.StepRange;
import java.time.Duration;
import java.util.List;

/** Skips steps now and then, and takes it back. */
record OperatorProgram(int changes) implements Program {
    private static final int STEPS = 12;

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    for (int i = 0; i < changes; i++) {
                        change(life, log);
                        log.awaitNews(
                                log.state().version(),
                                life.world().deadline(Duration.ofSeconds(1)));
                    }
                });
    }

    private void change(Life life, Log log) {
        long first = life.choice().of(STEPS);
        StepRange steps = new StepRange(first, first + life.choice().of(3));
        Entry entry = life.happens(3) ? new Unskip(steps) : new Skip(steps, "simulated");
        try {
            life.witness().saw(log.append(List.of(entry)));
        } catch (InvalidRequestException e) {
            // The models have seen these.
            life.witness().saw(log.state());
        }
    }
}
