package io.batchweave.cli.rows.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.batchweave.cli.rows.cells.Cells;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads the fields of JSON objects, in any order; those that no column is named after are left. */
final class JsonFields {
    private final List<JsonValue> columns;
    private final Map<String, JsonValue> byName;

    JsonFields(List<JsonValue> columns) {
        this.columns = columns;
        this.byName =
                columns.stream()
                        .collect(
                                Collectors.toMap(
                                        column -> column.cells().name(), column -> column));
    }

    /** Reads up to the object's end; a column without a field is left without a cell. */
    void read(JsonParser json) throws IOException {
        int[] before = columns.stream().mapToInt(column -> column.cells().count()).toArray();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            JsonValue value = byName.get(json.currentName());
            json.nextToken();
            if (value == null) {
                json.skipChildren();
            } else {
                value.read(json);
            }
        }
        for (int i = 0; i < before.length; i++) {
            Cells cells = columns.get(i).cells();
            if (cells.count() > before[i] + 1) {
                throw cells.refusal("its object names it twice");
            }
        }
    }
}
