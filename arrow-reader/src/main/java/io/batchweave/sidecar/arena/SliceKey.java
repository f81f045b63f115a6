package io.batchweave.sidecar.arena;

/**
 * Names a slice on this node.
 *
 * @param dataset its id: unique among all warehouses
 */
record SliceKey(String dataset, long step, int index) {}
