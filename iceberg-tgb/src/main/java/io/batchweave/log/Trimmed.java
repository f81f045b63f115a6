package io.batchweave.log;

import io.batchweave.store.Listing.Item;
import java.util.Collection;

/**
 * What was trimmed, or would be.
 *
 * @param bytes of these commits
 * @param kept commits that are old enough and stay: their pack would be too large, or other
 *     software wrote some of them, under another schema
 */
public record Trimmed(long commits, long bytes, long kept) {
    static final Trimmed NOTHING = new Trimmed(0, 0, 0);

    static Trimmed of(Collection<Item> commits) {
        return new Trimmed(commits.size(), commits.stream().mapToLong(Item::length).sum(), 0);
    }

    Trimmed plus(Trimmed more) {
        return new Trimmed(commits + more.commits, bytes + more.bytes, kept + more.kept);
    }
}
