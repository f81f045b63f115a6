package io.batchweave.sidecar.arena;

import java.util.concurrent.CompletableFuture;

/** A slice that somebody needs: in the arena, or on its way there. */
final class Held {
    private final SliceKey key;
    private final CompletableFuture<Placed> placed = new CompletableFuture<>();
    private int holders;
    private ArenaFile file;

    Held(SliceKey key) {
        this.key = key;
    }

    SliceKey key() {
        return key;
    }

    /** Done when it is there, or cannot be fetched. */
    CompletableFuture<Placed> placed() {
        return placed;
    }

    void hold() {
        holders++;
    }

    /** Whether nobody holds it any more. */
    boolean letGo() {
        holders--;
        return holders == 0;
    }

    /** Says where it is; what was waited for is done by this. */
    void place(ArenaFile in, Placed where) {
        file = in;
        placed.complete(where);
    }

    /** Gives up its part of the file, if it ever came there. */
    void free() {
        if (file != null) {
            file.letGo();
        }
    }
}
