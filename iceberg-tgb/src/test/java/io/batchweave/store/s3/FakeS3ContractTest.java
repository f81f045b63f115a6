package io.batchweave.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.ObjectStoreContract;
import io.batchweave.world.World;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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

    @Override
    protected void plant(String name) {
        server.plant("a/warehouse/" + name, name);
    }

    /** Only here are slashes nothing but a part of a name. */
    @Test
    void nothingBetweenTwoSlashesIsToldAndMarkersOfFoldersAreNot() throws IOException {
        plant("f//b");
        plant("/a");
        plant("f/caf\u00e9");
        plant("f/");
        plant("g/");

        try (ObjectStore store = open()) {
            assertThat(store.list("f", ""))
                    .isEqualTo(new Listing(List.of(), List.of(), List.of("/", "caf\u00e9")));
            assertThat(store.list("", ""))
                    .isEqualTo(new Listing(List.of(), List.of("f", "g"), List.of("/")));
        }
    }
}
