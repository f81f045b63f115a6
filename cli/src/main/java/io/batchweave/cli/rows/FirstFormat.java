package io.batchweave.cli.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Progress in its first format, in which a zero stood for what was not given. */
final class FirstFormat {
    private FirstFormat() {}

    /** Makes it the second. */
    static void upgrade(ObjectNode progress) {
        if (progress.path("settings") instanceof ObjectNode settings) {
            for (String limit : List.of("rows_per_slice", "bytes_per_slice")) {
                if (settings.path(limit).asLong() == 0) {
                    settings.remove(limit);
                }
            }
        }
        if (progress.path("order") instanceof ObjectNode order) {
            JsonNode seed = order.path("seed");
            JsonNode window = order.path("window");
            order.remove(List.of("seed", "window"));
            ObjectNode mixing = order.putObject("mixing");
            if (window.asInt() > 0) {
                mixing.set("seed", seed);
                mixing.set("window", window);
            }
        }
    }
}
