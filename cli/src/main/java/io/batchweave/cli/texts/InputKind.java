package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;

/** How documents lie in an input. */
enum InputKind {
    /** The whole file is one document. */
    TEXT,
    /** Every line is a JSON object, and each object one document. */
    JSONL;

    /** By its name; what is compressed is not read here, whatever it is called. */
    static InputKind of(Input input) {
        return JsonLine.isNamed(input.name()) ? JSONL : TEXT;
    }
}
