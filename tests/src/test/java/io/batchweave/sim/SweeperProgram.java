package io.batchweave.sim;

import io.batchweave.log.Log;
import io.batchweave.retain.Sweep;
import io.batchweave.retain.Swept;
import java.time.Duration;
import java.util.List;

/** Sweeps and trims, now and then and after hours. */
record SweeperProgram(int sweeps) implements Program {
    private static final List<Duration> PAUSES =
            List.of(Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofHours(2));

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    for (int i = 0; i < sweeps; i++) {
                        Swept swept = new Sweep(log, objects -> {}).run();
                        life.witness().saw(log.state());
                        life.witness().swept(swept);
                        life.world().pause().pause(PAUSES.get(life.choice().of(PAUSES.size())));
                    }
                });
    }
}
