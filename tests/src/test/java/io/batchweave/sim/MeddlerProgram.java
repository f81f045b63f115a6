package io.batchweave.sim;

import io.batchweave.codec.CommitCodec;
import io.batchweave.log.Log;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.testing.Numbers;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A writer of another make, which keeps the rules of the log and commits what must be without
 * effect where it lands: copies of what is in, claims of old epochs and of none, claims that leave
 * a gap, batches that do not fit; and what jobs have said before.
 */
record MeddlerProgram(int commits) implements Program {

    @Override
    public void run(Life life) {
        life.tryOften(
                () -> {
                    Log log = life.openLog();
                    for (int i = 0; i < commits; i++) {
                        meddle(life, log);
                        log.awaitNews(
                                log.state().version(),
                                life.world().deadline(Duration.ofSeconds(1)));
                    }
                });
    }

    private void meddle(Life life, Log log) {
        State state = log.catchUp();
        if (state.nextStep() == 0) {
            return;
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i <= life.choice().of(3); i++) {
            entries.add(life.happens(3) ? ofJob(life, log) : entry(life, state));
        }
        Commit commit =
                new Commit(
                        life.world().newId(),
                        life.world().clock().instant().truncatedTo(ChronoUnit.MILLIS),
                        "another make",
                        entries);
        life.store().create(log.layout().commit(state.version() + 1), CommitCodec.encode(commit));
    }

    /** What some job has said, if the commit that is looked at has it. */
    private static Entry ofJob(Life life, Log log) {
        long version = life.choice().of((int) log.state().version() + 1);
        return log.read(version).stream()
                .flatMap(commit -> commit.entries().stream())
                .filter(Entry.OfJob.class::isInstance)
                .findFirst()
                .orElseGet(() -> entry(life, log.state()));
    }

    private static Entry entry(Life life, State state) {
        StepRecord step = state.step(life.choice().of((int) state.nextStep()));
        String name = step.claim().producer();
        ProducerState known = state.producer(name).orElseThrow();
        long next = known.nextSequence();
        return switch (life.choice().of(6)) {
            case 0 -> publish(step.claim(), step);
            case 1 -> publish(new Claim(name, known.epoch(), next + 1), step);
            case 2 -> publish(new Claim(name, Math.max(0, known.epoch() - 1), next), step);
            case 3 -> publish(new Claim(name, known.epoch() + 1, next), step);
            case 4 -> new OpenProducer(name, known.openingId());
            default ->
                    new Publish(new Claim(name, known.epoch(), next), known.progress(), half(step));
        };
    }

    private static Publish publish(Claim claim, StepRecord step) {
        return new Publish(claim, Numbers.progress(777), step.batch());
    }

    private static GlobalBatch half(StepRecord step) {
        Part part = step.batch().parts().get(0);
        return new GlobalBatch(
                0,
                List.of(new Part(part.length(), part.digest(), part.slices().subList(0, 1))),
                List.of());
    }
}
