/**
 * What a commit costs, beside Iceberg and Delta on the same store, and beside the limit: one
 * create.
 *
 * <p>All of them go through one {@link io.batchweave.store.ObjectStore}, so that the same client,
 * server and counters serve all. What they commit is metadata alone: one data file or batch that is
 * already there.
 */
package io.batchweave.bench.commits;
