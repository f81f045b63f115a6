package io.batchweave.catalog.register;

/**
 * A text as it was read or written.
 *
 * @param number from 1; that of a dropped text is the one that voids it
 * @param key of its object
 * @param text a JSON object
 */
public record Version(long number, String key, String text, Lineage lineage) {}
