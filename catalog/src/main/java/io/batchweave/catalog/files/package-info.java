/**
 * Iceberg's view of a store: the files of tables, each written once.
 *
 * <p>It deletes in bulk, but does not list by prefix: a listing tells no times here, and Iceberg
 * asks it for those in order to judge by age which files nobody needs.
 */
package io.batchweave.catalog.files;
