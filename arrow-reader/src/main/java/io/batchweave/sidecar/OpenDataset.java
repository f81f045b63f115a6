package io.batchweave.sidecar;

import io.batchweave.log.Log;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.CountingStore;

/**
 * A dataset that some readers of this node read: one log for all of them.
 *
 * @param store counts what is asked of the warehouse
 */
record OpenDataset(CountingStore store, Log log, PayloadSchema schema) {}
