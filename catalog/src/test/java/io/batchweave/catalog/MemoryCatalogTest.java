package io.batchweave.catalog;

import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.util.EnumSet;
import java.util.Set;
import org.apache.iceberg.catalog.Catalog;

/** Our catalog in memory. */
class MemoryCatalogTest extends CommitContract {
    static final Set<CatalogAbility> OURS =
            EnumSet.complementOf(
                    EnumSet.of(CatalogAbility.RENAMES, CatalogAbility.PLACES_TABLES_ANYWHERE));

    private final World world = World.real();
    private final MemoryStore store = new MemoryStore(world);

    @Override
    protected Catalog open() {
        return new ObjectStoreCatalog(store, world);
    }

    @Override
    protected Catalog another() {
        return new ObjectStoreCatalog(store, world);
    }

    @Override
    protected Set<CatalogAbility> abilities() {
        return OURS;
    }

    @Override
    protected String registered(String metadata) {
        return Dropped.metadata(metadata);
    }
}
