package io.batchweave.sim;

import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.StepRange;
import io.batchweave.retain.Jobs;
import java.time.Duration;
import java.util.List;

/**
 * Skips steps now and then, and takes it back; says how far producers may be ahead; detaches the
 * job under its ranks.
 */
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

    private static void change(Life life, Log log) {
        try {
            switch (life.choice().of(6)) {
                case 0 -> new Jobs(log).detach(RankProgram.JOB);
                case 1 -> log.append(List.of(new Alter(List.of(new MaxLead(life.choice().of(4))))));
                default -> log.append(List.of(skipping(life)));
            }
        } catch (InvalidRequestException | FencedException e) {
            // The models have seen these; the job never attached, or is another one now.
        }
        life.witness().saw(log.state());
    }

    private static Entry skipping(Life life) {
        long first = life.choice().of(STEPS);
        StepRange steps = new StepRange(first, first + life.choice().of(3));
        return life.happens(3) ? new Unskip(steps) : new Skip(steps, "simulated");
    }
}
