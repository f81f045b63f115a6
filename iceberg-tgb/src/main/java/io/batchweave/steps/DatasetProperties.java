package io.batchweave.steps;

import io.batchweave.state.State;
import java.util.Map;
import org.apache.iceberg.UpdateProperties;

/** What the properties of a table tell of the dataset. */
final class DatasetProperties {
    private final Opened table;
    private final Patience patience;

    DatasetProperties(Opened table, Patience patience) {
        this.table = table;
        this.patience = patience;
    }

    /** Makes them what the State says, unless somebody told more by now. */
    void run(State state) {
        patience.until(
                () -> {
                    table.refresh();
                    Map<String, String> known = table.table().properties();
                    UpdateProperties changes = table.table().updateProperties();
                    Map<String, String> wanted = ViewTable.datasetProperties(state);
                    wanted.entrySet()
                            .removeIf(each -> each.getValue().equals(known.get(each.getKey())));
                    if (!wanted.isEmpty() && !isBehind(state, known)) {
                        wanted.forEach(changes::set);
                        changes.commit();
                    }
                    return table;
                });
    }

    private static boolean isBehind(State state, Map<String, String> known) {
        String step = known.getOrDefault(ViewTable.FIRST_LIVE_STEP, "0");
        return step.matches("\\d{1,18}") && Long.parseLong(step) > state.lowStep();
    }
}
