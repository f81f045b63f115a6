package io.batchweave.cli.tokens;

import io.batchweave.model.Bytes;
import java.util.Optional;

/** The texts to tokenize, one after the other, with the exact position in them. */
public interface Units extends AutoCloseable {
    /**
     * The next unit, empty once there is none.
     *
     * @throws io.batchweave.errors.InvalidRequestException if an input is not what its kind says
     */
    Optional<Unit> next();

    /** The place behind the unit given last, and behind all that holds nothing. */
    Place behind();

    /** The place in the unit given last that has {@code tokens} of its tokens behind it. */
    Place within(long tokens);

    /** A place to go on from. */
    interface Place {
        /** What is committed, to be found again. */
        Bytes progress(IngestSettings settings);

        /** Where it is, for people. */
        String describe();
    }

    @Override
    void close();
}
