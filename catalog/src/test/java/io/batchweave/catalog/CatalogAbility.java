package io.batchweave.catalog;

/** What some catalogs can do and others need not. */
public enum CatalogAbility {
    /** Tables are renamed. */
    RENAMES,
    /** A table may lie anywhere. */
    PLACES_TABLES_ANYWHERE,
    /** A namespace exists when something lies in it, or only when it was created. */
    DEMANDS_NAMESPACES,
    /** What no folder may be called is refused. */
    CHECKS_NAMES,
    /** A table's files are gone when it is purged. */
    PURGES,
    /** Who commits on an old state is told, and not served by a merge. */
    REFUSES_STALE_METADATA,
    /** Nobody gives a table another id. */
    KEEPS_IDS,
    /** Old metadata is deleted on demand. */
    DELETES_OLD_METADATA,
    /** The metadata of a dropped table may be given back to it. */
    REGISTERS
}
