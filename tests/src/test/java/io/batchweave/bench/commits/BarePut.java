package io.batchweave.bench.commits;

import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;

/** The limit: each commit is one create of an object that nobody else creates. */
final class BarePut implements Peer {
    private final int bytes;

    BarePut(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public String name() {
        return "one create";
    }

    @Override
    public void create(ObjectStore store, String table) {
        // A folder needs no making.
    }

    @Override
    public Writer writer(ObjectStore store, String table, int number) {
        String folder = table + "/" + World.real().newId();
        long[] next = {0};
        return () -> {
            String key = folder + "/" + next[0] / 4_096 + "/" + next[0]++;
            if (!(store.create(key, ByteBuffer.allocate(bytes)) instanceof Creation.Done)) {
                throw new AssertionError("Cannot create " + store.nameOf(key));
            }
        };
    }
}
