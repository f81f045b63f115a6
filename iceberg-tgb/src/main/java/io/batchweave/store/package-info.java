/**
 * What BatchWeave asks of an object store, and no more: read, create if absent, list a folder,
 * delete.
 *
 * <p>Create-if-absent is the only condition. Compare-and-swap was considered and rejected: HDFS has
 * none, and on some S3-compatible servers it is not atomic. There is no plain put and no replace,
 * so nothing can be overwritten.
 */
package io.batchweave.store;
