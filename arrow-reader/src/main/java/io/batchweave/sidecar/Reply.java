package io.batchweave.sidecar;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.errors.ExpiredException;
import io.batchweave.model.Names;

/** What a client is told: one JSON object. */
final class Reply {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Reply() {}

    /** An object to be filled. */
    static ObjectNode object() {
        return JSON.objectNode();
    }

    /** The line of a request that was done. */
    static String ok(ObjectNode result) {
        return line("ok", result);
    }

    /** The line of one that was not. */
    static String error(Throwable thrown) {
        Kind kind = Kind.of(thrown);
        ObjectNode error = object();
        error.put("kind", kind.toString());
        error.put(
                "message",
                kind == Kind.INTERNAL
                        ? "Cannot go on: this is a fault of BatchWeave itself (" + thrown + ")"
                        : Names.onOneLine(String.valueOf(thrown.getMessage())));
        if (thrown instanceof ExpiredException expired) {
            error.put("first_step", expired.firstKept());
        }
        return line("error", error);
    }

    private static String line(String name, ObjectNode what) {
        ObjectNode line = object();
        line.set(name, what);
        return line.toString();
    }
}
