package io.batchweave.catalog;

import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.EnumSet;
import java.util.Set;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.AfterEach;

/** What every catalog must do, asked of ours on one kind of store. */
public abstract class StoredCatalogContract extends CommitContract {
    static final Set<CatalogAbility> OURS =
            EnumSet.complementOf(
                    EnumSet.of(CatalogAbility.RENAMES, CatalogAbility.PLACES_TABLES_ANYWHERE));

    private static final World WORLD = World.real();

    private ObjectStore store;

    /** Opens an empty store for one test, after which it is closed. */
    protected abstract ObjectStore openStore(World world);

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @Override
    protected final Catalog open() {
        store = openStore(WORLD);
        return another();
    }

    @Override
    protected final Catalog another() {
        return new ObjectStoreCatalog(store, WORLD);
    }

    @Override
    protected final Set<CatalogAbility> abilities() {
        return OURS;
    }

    @Override
    protected final String registered(String metadata) {
        return Dropped.metadata(metadata);
    }
}
