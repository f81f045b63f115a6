package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.errors.InvalidRequestException;
import java.util.function.Function;

/**
 * Finds a committed position again, or refuses: going on in inputs that are not those that were
 * ingested would lose or repeat rows without a sign.
 */
final class RowResumption {
    private final Inputs inputs;
    private final Function<Input, RowInput> kinds;
    private final StreamPosition committed;

    RowResumption(Inputs inputs, Function<Input, RowInput> kinds, StreamPosition committed) {
        this.inputs = inputs;
        this.kinds = kinds;
        this.committed = committed;
    }

    /** Refuses changed inputs; lines may be added to the last JSONL file. */
    void check() {
        inputs.demandFirst(committed.finished(), committed.describe());
        checkCurrent();
    }

    private void checkCurrent() {
        Input input = inputs.file(committed.finished().inputs());
        if (!input.name().equals(committed.name())) {
            throw refusal("that input is " + input.name());
        }
        boolean hasGrown = kinds.apply(input) == RowInput.JSONL && input.size() > committed.size();
        Fingerprint now =
                hasGrown ? Fingerprint.of(input, committed.size()) : inputs.fingerprint(input);
        if (!now.equals(new Fingerprint(committed.size(), committed.digest()))) {
            throw refusal(
                    "it had "
                            + committed.size()
                            + " bytes (digest "
                            + committed.digest()
                            + ") and has "
                            + now.size()
                            + " (digest "
                            + now.digest()
                            + ")");
        }
    }

    InvalidRequestException refusal(String why) {
        return Inputs.changed(committed.describe(), why);
    }
}
