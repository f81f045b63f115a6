/**
 * Rows of Parquet files, a row group at a time; only the columns that are wanted, which may take a
 * third of the heap.
 */
package io.batchweave.cli.rows.parquet;
