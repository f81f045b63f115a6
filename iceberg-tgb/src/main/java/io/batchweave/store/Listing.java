package io.batchweave.store;

import java.util.List;

/**
 * What lies directly in a folder.
 *
 * @param objects in the order of their keys
 * @param folders names of the folders below, in order; where folders are real, one that holds
 *     nothing may be among them
 */
public record Listing(List<Item> objects, List<String> folders) {
    public Listing {
        objects = List.copyOf(objects);
        folders = List.copyOf(folders);
    }

    /** One object: its whole key and its length in bytes. */
    public record Item(String key, long length) {}
}
