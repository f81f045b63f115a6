package io.batchweave.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.payload.PayloadSchema;

/** Any text as a payload schema. */
public final class SchemaTarget {
    private SchemaTarget() {}

    /** What the fuzzer calls. */
    public static void fuzzerTestOneInput(byte[] data) {
        PayloadSchema schema;
        try {
            schema = PayloadSchema.parse(new String(data, UTF_8));
        } catch (IllegalArgumentException e) {
            Told.inOneLine(e);
            return;
        }
        Told.that(
                PayloadSchema.parse(schema.json()).arrow().equals(schema.arrow()),
                "the schema changes by being written: " + schema.json());
    }
}
