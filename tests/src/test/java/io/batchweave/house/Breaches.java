package io.batchweave.house;

import java.util.List;
import java.util.stream.Stream;

/** Fails with every breach of a rule at once, one a line. */
final class Breaches {
    private Breaches() {}

    static void assertNone(String rule, Stream<String> found) {
        List<String> breaches = found.distinct().sorted().toList();
        if (!breaches.isEmpty()) {
            throw new AssertionError(rule + "\n  " + String.join("\n  ", breaches) + "\n");
        }
    }
}
