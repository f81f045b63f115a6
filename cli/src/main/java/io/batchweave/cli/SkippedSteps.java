package io.batchweave.cli;

import io.batchweave.model.StepRange;
import picocli.CommandLine.Option;

/** Which steps a command skips, or skips no more. */
final class SkippedSteps {
    /** What an interrupt of such a command leaves. */
    static final String INTERRUPT = "the steps may be skipped or not; run the same again";

    @Option(
            names = "--steps",
            required = true,
            paramLabel = "FIRST..LAST",
            description = "The steps, such as 100..120, or one number.")
    private String steps;

    StepRange range() {
        return StepRange.parse(steps);
    }
}
