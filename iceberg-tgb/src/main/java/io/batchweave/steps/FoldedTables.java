package io.batchweave.steps;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.DatasetName;
import io.batchweave.world.World;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
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
                        "find or drop the view of %s in catalog %s"
                                .formatted(dataset, catalog.name()),
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
     * Drops them, with all their files, and does the rest where a drop was cut off. Fails like
     * {@link #names}; the same may be done again.
     *
     * @return those that there were
     */
    public List<String> drop() {
        List<String> names = names();
        for (ViewTable kind : ViewTable.values()) {
            TableIdentifier table = kind.identifier(dataset);
            if (patience.until(() -> !isForeign(table))) {
                patience.until(() -> dropped(table));
            }
        }
        return names;
    }

    private List<TableIdentifier> identifiers() {
        return Stream.of(ViewTable.values())
                .map(kind -> kind.identifier(dataset))
                .filter(table -> patience.until(() -> isFolded(table)))
                .toList();
    }

    private boolean dropped(TableIdentifier table) {
        try {
            return catalog.dropTable(table, true);
        } catch (NoSuchNamespaceException e) {
            return false;
        }
    }

    private boolean isForeign(TableIdentifier table) {
        return owner(table).filter(owner -> owner == Owner.OTHER).isPresent();
    }

    private boolean isFolded(TableIdentifier table) {
        return owner(table).filter(owner -> owner == Owner.FOLD).isPresent();
    }

    private enum Owner {
        FOLD,
        OTHER
    }

    /**
     * Who made a table, if there is one; its name is kept for folds, so a damaged one is theirs.
     */
    private Optional<Owner> owner(TableIdentifier table) {
        try {
            return Optional.of(
                    catalog.loadTable(table).properties().containsKey(ViewTable.DATASET_ID)
                            ? Owner.FOLD
                            : Owner.OTHER);
        } catch (NoSuchTableException | NoSuchNamespaceException e) {
            return Optional.empty();
        } catch (CorruptException e) {
            return Optional.of(Owner.FOLD);
        }
    }
}
