package io.batchweave.retain;

import io.batchweave.log.Tombstone;
import io.batchweave.retain.Swept.Found;

/**
 * What a drop did.
 *
 * @param deleted by this run
 * @param kept commits that stay until {@link Tombstone#ripeAt}, for producers that sleep; whoever
 *     drops again after that deletes them
 */
public record Dropped(Tombstone tombstone, Found deleted, Found kept) {}
