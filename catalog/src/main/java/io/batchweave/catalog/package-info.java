/**
 * An Iceberg catalog with no server behind it, over the stores that datasets lie in.
 *
 * <p>Namespaces and tables are folders, as in Iceberg's catalogs of type {@code hadoop}, which read
 * the same files: {@code <namespace>/<table>/metadata/vN.metadata.json} is a table's version N. A
 * commit creates the next one, if it is absent; no lock, no rename, no pointer that is replaced.
 * {@link io.batchweave.catalog.register} says how doubt is resolved and why no version number is
 * used twice. Other writers than this catalog must stay away from its tables: a Hadoop catalog
 * renames files into their places, which on most stores is not atomic, and it drops a table without
 * leaving a mark.
 *
 * <p>Datasets lie in the same namespaces. They are no tables, and no table is made where one lies.
 * Purging deletes what the table's metadata names and its folder of metadata, and nothing else.
 *
 * <p>A table that was dropped leaves one object behind, its last metadata. {@code registerTable}
 * takes it; what is created there later goes on counting from it.
 *
 * <p>Two other designs were considered. Names that are unique, with a pointer file, need
 * compare-and-swap. The JDBC catalog needs a database that somebody runs; who has one, or any other
 * catalog, can use it instead.
 */
package io.batchweave.catalog;
