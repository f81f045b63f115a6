package io.batchweave.store.s3;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.world.World;
import org.junit.jupiter.api.AfterEach;

/** The store against a server of this process; so the fake keeps the contract too. */
class FakeS3ContractTest extends ObjectStoreContract {
    private final FakeS3 server = FakeS3.start();

    @Override
    protected ObjectStore open() {
        return server.open("s3://" + FakeS3.BUCKET + "/a/warehouse/", World.real(), client -> {});
    }

    @AfterEach
    void stop() {
        server.close();
    }
}
