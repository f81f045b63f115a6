package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.steps.Fold;
import io.batchweave.steps.Folded;
import java.util.Optional;

/**
 * What a sweep did to the view of its dataset.
 *
 * @param folded what was new
 * @param expired snapshots that no tag or branch held
 */
record SweptView(Folded folded, int expired) {

    /** Folds what is new and expires what nothing holds; where no view was made, none is. */
    static Optional<SweptView> keep(Fold fold) {
        if (!fold.hasView()) {
            return Optional.empty();
        }
        Folded folded = fold.run();
        return Optional.of(new SweptView(folded, folded.expired() + fold.expire()));
    }

    /** What is thrown if that failed behind a sweep that is done. */
    static RuntimeException failed(String dataset, RuntimeException why) {
        String text =
                "Cannot bring the view of %s up to date, though the sweep is done: %s; 'batchweave fold %s --expire' does what is left"
                        .formatted(dataset, why.getMessage(), dataset);
        if (why instanceof UnavailableException unavailable) {
            return unavailable.as(text);
        }
        return why instanceof InvalidRequestException
                ? new InvalidRequestException(text, why)
                : why;
    }

    String text() {
        return "Its view has all steps before %d, with %s; expired %s"
                .formatted(
                        folded.nextStep(),
                        Output.count(folded.tags(), "checkpoint", "checkpoints"),
                        Output.count(expired, "snapshot", "snapshots"));
    }
}
