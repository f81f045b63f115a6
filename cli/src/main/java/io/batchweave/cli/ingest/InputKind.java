package io.batchweave.cli.ingest;

import java.util.Locale;

/** How documents lie in an input. */
enum InputKind {
    /** The whole file is one document. */
    TEXT,
    /** Every line is a JSON object, and each object one document. */
    JSONL;

    /** Files that end in neither .jsonl nor .ndjson are taken for text. */
    static InputKind of(String name) {
        return endsWith(name, ".jsonl", ".ndjson") ? JSONL : TEXT;
    }

    /** Whether a file of this name is read when only its folder was named. */
    static boolean isReadFromFolders(String name) {
        return of(name) == JSONL || endsWith(name, ".txt", ".md");
    }

    private static boolean endsWith(String name, String... endings) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (String ending : endings) {
            if (lower.endsWith(ending)) {
                return true;
            }
        }
        return false;
    }
}
