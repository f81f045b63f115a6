package io.batchweave.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.JobEntries;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.iceberg.catalog.Catalog;

/** A fold of which one commit comes out badly, into whatever catalog. */
public final class FoldWalk {
    /** The fold makes so many commits: of steps, of events, and of tags. */
    public static final int COMMITS = 3;

    private FoldWalk() {}

    /**
     * Fails unless each row is in the view once, and the tag too, though a commit came out so.
     *
     * @param catalog an empty one
     * @param commit which one, from 0
     * @param plan is given what each commit from then on is to ask for how it comes out; null: well
     */
    public static void walk(
            Catalog catalog, Outcome outcome, int commit, Consumer<Supplier<Outcome>> plan) {
        FoldStage stage = new FoldStage(catalog);
        stage.publish(1);
        stage.fold().run();
        stage.publish(2);
        stage.append(JobEntries.attach());
        stage.append(JobEntries.checkpoint("", 2));
        AtomicInteger left = new AtomicInteger(commit);
        plan.accept(() -> left.getAndDecrement() == 0 ? outcome : null);

        Folded folded = stage.fold().run();

        assertThat(left).as("commits before the one that came out so").hasNegativeValue();
        assertThat(folded.nextStep()).isEqualTo(3);
        stage.assertWhole();
        assertThat(stage.table(ViewTable.STEPS).refs()).containsKey("checkpoint/j/at2");
    }
}
