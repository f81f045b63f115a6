/**
 * The catalogs that the command line serves and folds into: that of a warehouse, or any other of
 * Iceberg's.
 */
package io.batchweave.cli.serve;
