package io.batchweave.cli.rows.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Matching;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the fields of JSON objects, in any order; those that no column is named after are left. */
final class JsonFields {
    private final List<JsonValue> columns;
    private final Map<String, JsonValue> byName;
    private final Map<String, JsonValue> byLetters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    JsonFields(List<JsonValue> columns) {
        this.columns = columns;
        this.byName =
                columns.stream()
                        .collect(
                                Collectors.toMap(
                                        column -> column.cells().name(), column -> column));
        byLetters.putAll(byName);
    }

    /** Reads up to the object's end; a column without a field is left without a cell. */
    void read(JsonParser json) throws IOException {
        Map<JsonValue, String> almost = Map.of();
        int[] before = columns.stream().mapToInt(column -> column.cells().count()).toArray();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonValue value = byName.get(name);
            json.nextToken();
            if (value == null) {
                JsonValue near = byLetters.get(name);
                almost = near == null ? almost : with(almost, near, name);
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
            String name = almost.get(columns.get(i));
            if (name != null && cells.count() == before[i]) {
                throw Matching.almost(cells, name);
            }
        }
    }

    private static Map<JsonValue, String> with(
            Map<JsonValue, String> almost, JsonValue column, String name) {
        Map<JsonValue, String> more = new HashMap<>(almost);
        more.put(column, name);
        return more;
    }
}
