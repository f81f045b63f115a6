package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Input;
import java.util.Locale;

/** How documents lie in an input. */
enum InputKind {
    /** The whole file is one document. */
    TEXT,
    /** Every line is a JSON object, and each object one document. */
    JSONL;

    /** Files that end in neither .jsonl nor .ndjson are taken for text. */
    static InputKind of(Input input) {
        String name = input.name().toLowerCase(Locale.ROOT);
        return name.endsWith(".jsonl") || name.endsWith(".ndjson") ? JSONL : TEXT;
    }
}
