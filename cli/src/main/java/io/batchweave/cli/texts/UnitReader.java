package io.batchweave.cli.texts;

import io.batchweave.cli.tokens.Unit;
import java.util.Optional;

/** Reads one input, unit by unit, taking from its bytes only what was returned or holds nothing. */
interface UnitReader {
    /**
     * The next unit, empty once there is none.
     *
     * @throws io.batchweave.errors.InvalidRequestException if the input is not what its kind says
     */
    Optional<Unit> next();

    /** The reader for this kind of input, from wherever {@code bytes} are. */
    static UnitReader of(InputBytes bytes, RecordText records) {
        return switch (InputKind.of(bytes.input())) {
            case TEXT -> new TextUnits(bytes);
            case JSONL -> new JsonlUnits(bytes, records);
        };
    }
}
