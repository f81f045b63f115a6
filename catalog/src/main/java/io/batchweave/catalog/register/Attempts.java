package io.batchweave.catalog.register;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import java.util.Optional;
import java.util.function.Supplier;

/** What is known of the attempts to create one object. Used by one thread. */
final class Attempts {
    private Optional<Exception> doubt = Optional.empty();

    /**
     * Makes an attempt.
     *
     * @throws UnavailableException if it certainly failed, and no earlier one may have succeeded
     */
    Creation made(Supplier<Creation> attempt) {
        try {
            Creation creation = attempt.get();
            if (creation instanceof Creation.Unknown unknown) {
                doubt = Optional.of(unknown.cause());
            } else if (doubt.isEmpty()) {
                doubt = Optional.of(new IllegalStateException("no look at the folder succeeded"));
            }
            return creation;
        } catch (UnavailableException e) {
            if (doubt.isEmpty()) {
                throw e;
            }
            return new Creation.Unknown(e);
        }
    }

    /** Judges what the last attempt led to; a look that fails leaves it open. */
    Optional<Change> judged(Supplier<Optional<Change>> judgement) {
        try {
            return judgement.get();
        } catch (UnavailableException e) {
            doubt = Optional.of(e);
            return Optional.empty();
        }
    }

    /** Why it is not known how they came out. */
    Exception cause() {
        return doubt.orElseThrow();
    }
}
