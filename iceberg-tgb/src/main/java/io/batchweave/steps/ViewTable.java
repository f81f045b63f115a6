package io.batchweave.steps;

import io.batchweave.model.DatasetName;
import io.batchweave.state.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** The two tables of a view: what they are called, hold and are told apart by. */
enum ViewTable {
    /** One row a step. */
    STEPS("_steps", StepColumns.STEP, ""),
    /** One row for each entry of a commit that did not become a step. */
    EVENTS("_events", EventColumns.VERSION, EventColumns.ENTRY);

    /** Of a snapshot: the highest key that is folded; a cache of what is in the table. */
    static final String THROUGH = "batchweave.folded-through";

    /** Of a snapshot: how many rows the table had after it. */
    static final String ROWS = "batchweave.rows";

    /** Of a snapshot: the attempt that made it. */
    static final String FOLD_ID = "batchweave.fold-id";

    /** Of a table, and of a snapshot: the dataset that it tells of. */
    static final String DATASET_ID = "batchweave.dataset-id";

    /**
     * Of a table that was made anew, and of its snapshots since: which time that was. In older
     * snapshots may be missing what a new view was made for.
     */
    static final String VIEW_ID = "batchweave.view-id";

    /** Of a table: the first step whose payload is kept. */
    static final String FIRST_LIVE_STEP = "batchweave.first-live-step";

    /** Of a table: before the name of each setting of the dataset. */
    static final String SETTING = "batchweave.setting.";

    /** Of Iceberg's format: what a new table has, which every engine reads. */
    static final int FORMAT_VERSION = 2;

    /** What the names of properties begin with that say how files are written. */
    static final String WRITING = "write.";

    private static final List<String> BOUNDED =
            List.of(
                    StepColumns.STEP,
                    EventColumns.VERSION,
                    StepColumns.PUBLISHED_AT,
                    EventColumns.AT);

    private final String ending;
    private final String key;
    private final String minor;

    ViewTable(String ending, String key, String minor) {
        this.ending = ending;
        this.key = key;
        this.minor = minor;
    }

    TableIdentifier identifier(DatasetName dataset) {
        return TableIdentifier.of(Namespace.of(dataset.namespace()), dataset.name() + ending);
    }

    Schema schema() {
        return this == STEPS ? StepColumns.SCHEMA : EventColumns.SCHEMA;
    }

    /** The column by which rows are folded, sorted and found. */
    String key() {
        return key;
    }

    /** How a new table is made, or what one is replaced by. */
    Catalog.TableBuilder builder(
            Catalog catalog, DatasetName dataset, State state, int formatVersion) {
        return catalog.buildTable(identifier(dataset), schema())
                .withPartitionSpec(PartitionSpec.unpartitioned())
                .withSortOrder(order(schema()))
                .withProperties(properties(dataset, state, formatVersion));
    }

    private SortOrder order(Schema table) {
        SortOrder.Builder order = SortOrder.builderFor(table).asc(key);
        return (minor.isEmpty() ? order : order.asc(minor)).build();
    }

    /** Whether the order that a table asks of its rows is the one that folds write them in. */
    boolean isSortedBy(Table table) {
        return table.schema().findField(key) != null
                && (minor.isEmpty() || table.schema().findField(minor) != null)
                && order(table.schema()).sameOrder(table.sortOrder());
    }

    private Map<String, String> properties(DatasetName dataset, State state, int formatVersion) {
        Map<String, String> all = properties();
        all.put(TableProperties.FORMAT_VERSION, Integer.toString(formatVersion));
        all.put("comment", comment(dataset));
        all.putAll(datasetProperties(state));
        return all;
    }

    /** How it is written, whatever the dataset. */
    Map<String, String> properties() {
        Map<String, String> all = metrics(schema());
        // Folds are many: only the newest metadata file and a few before it stay.
        all.put(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
        all.put(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "10");
        all.put(TableProperties.MANIFEST_MIN_MERGE_COUNT, "16");
        all.put(TableProperties.COMMIT_MIN_RETRY_WAIT_MS, "10");
        // Small row groups: whoever asks for one step reads one of them.
        all.put(TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES, Integer.toString(8 << 20));
        return all;
    }

    /** By what a data file is found and told apart, whatever somebody made of the properties. */
    static Map<String, String> metrics(Schema table) {
        Map<String, String> metrics = new HashMap<>();
        // Of the other columns nobody asks for a range, and what has no bounds hides no row.
        metrics.put(TableProperties.DEFAULT_WRITE_METRICS_MODE, "counts");
        for (String column : BOUNDED) {
            if (table.findField(column) != null) {
                metrics.put(TableProperties.METRICS_MODE_COLUMN_CONF_PREFIX + column, "full");
            }
        }
        return metrics;
    }

    private String comment(DatasetName dataset) {
        return this == STEPS
                ? "The steps of dataset " + dataset + ", one a row; folded from its log"
                : "What else the log of dataset " + dataset + " says; folded from it";
    }

    /** What the properties of the table tell of a dataset. */
    static Map<String, String> datasetProperties(State state) {
        Map<String, String> all = new HashMap<>();
        all.put(DATASET_ID, state.dataset().id());
        all.put("batchweave.grid", state.dataset().grid().toString());
        all.put(FIRST_LIVE_STEP, Long.toString(state.lowStep()));
        SettingNames.of(state.settings()).forEach((name, value) -> all.put(SETTING + name, value));
        return all;
    }
}
