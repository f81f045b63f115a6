package io.batchweave.store.local;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreContractTest extends ObjectStoreContract {
    @TempDir private Path root;

    @Override
    protected ObjectStore open() {
        return new LocalStore(root, World.real());
    }

    @Override
    protected void plant(String name) throws IOException {
        Files.createDirectories(root.resolve(name).getParent());
        Files.writeString(root.resolve(name), name);
    }
}
