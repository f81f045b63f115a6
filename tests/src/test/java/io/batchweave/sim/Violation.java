package io.batchweave.sim;

import java.util.function.Supplier;

/** A promise that was not kept. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String text) {
        super(text);
    }

    static void unless(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new Violation(otherwise.get());
        }
    }
}
