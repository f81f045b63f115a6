package io.batchweave.steps;

import io.batchweave.model.DatasetName;
import io.batchweave.world.World;
import java.util.List;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;

/** The tables of a dataset's view, as far as a fold has made them. */
public final class FoldedTables {
    private final DatasetName dataset;
    private final Catalog catalog;
    private final Patience patience;

    /** Those in any catalog, whether the dataset is there or not. */
    public FoldedTables(DatasetName dataset, Catalog catalog, World world) {
        this.dataset = dataset;
        this.catalog = catalog;
        this.patience =
                new Patience(
                        "drop the view of %s in catalog %s".formatted(dataset, catalog.name()),
                        world,
                        FoldLimits.DEFAULT);
    }

    /**
     * Which there are. A table of such a name that no fold has made is none of them.
     *
     * @throws io.batchweave.errors.UnavailableException if the catalog does not answer in time
     */
    public List<String> names() {
        return identifiers().stream().map(TableIdentifier::toString).toList();
    }

    /**
     * Drops them, with all their files. Fails like {@link #names}; the same may be done again.
     *
     * @return those that there were
     */
    public List<String> drop() {
        List<TableIdentifier> tables = identifiers();
        for (TableIdentifier table : tables) {
            patience.until(() -> catalog.dropTable(table, true));
        }
        return tables.stream().map(TableIdentifier::toString).toList();
    }

    private List<TableIdentifier> identifiers() {
        return Stream.of(ViewTable.values())
                .map(kind -> kind.identifier(dataset))
                .filter(table -> patience.until(() -> isFolded(table)))
                .toList();
    }

    private boolean isFolded(TableIdentifier table) {
        try {
            return catalog.loadTable(table).properties().containsKey(ViewTable.DATASET_ID);
        } catch (NoSuchTableException e) {
            return false;
        }
    }
}
