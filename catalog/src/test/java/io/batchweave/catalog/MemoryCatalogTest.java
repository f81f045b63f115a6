package io.batchweave.catalog;

import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;

/** Our catalog in memory. */
class MemoryCatalogTest extends StoredCatalogContract {
    @Override
    protected ObjectStore openStore(World world) {
        return new MemoryStore(world);
    }
}
