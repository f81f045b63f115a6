package io.batchweave.log;

import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.store.Listing.Item;
import java.time.Duration;
import java.util.List;

/** What a rival does to the log while others sleep. */
final class Trimming {
    /** Older than any commit must be to be trimmed. */
    static final Duration LONG = Duration.ofHours(2);

    private final Stage stage;
    private long opened = 1_000;

    Trimming(Stage stage) {
        this.stage = stage;
    }

    /** The rival opens producers until the log ends at this version. */
    void growTo(long version) {
        Log rival = stage.rival();
        while (rival.state().version() < version) {
            rival.append(List.of(Entries.opening("rival", opened++)));
        }
    }

    /** The rival trims what is there now, and comes back when it is old enough. */
    void trim() {
        stage.rival().trim();
        stage.storeClock.move(LONG);
        stage.rival().trim();
    }

    /** The request of somebody who slept arrives at a version that was trimmed. */
    void bringBack(long version, Entry... entries) {
        Commit commit =
                new Commit(Entries.id(999), stage.storeClock.instant(), "late", List.of(entries));
        stage.memory.create(stage.key(version), CommitCodec.encode(commit));
    }

    /** The commits that lie in the log. */
    List<String> commits() {
        return keys("train/pretrain/log/00000000000000000000");
    }

    List<String> packs() {
        return keys("train/pretrain/packs/00000000000000000000");
    }

    List<String> boundaries() {
        return keys("train/pretrain/boundary");
    }

    private List<String> keys(String folder) {
        return stage.memory.list(folder, "").objects().stream().map(Item::key).toList();
    }
}
