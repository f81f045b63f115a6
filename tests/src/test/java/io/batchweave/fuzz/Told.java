package io.batchweave.fuzz;

/** What makes an input a finding. */
final class Told {
    private Told() {}

    static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** A refusal is for people: one line, of a length that can be read. */
    static void inOneLine(RuntimeException refusal) {
        String text = refusal.getMessage();
        that(text.lines().count() == 1, "a refusal of several lines: " + text);
        that(text.length() < 2_000, "a refusal of " + text.length() + " characters: " + text);
    }
}
