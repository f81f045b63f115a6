package io.batchweave.store;

import java.util.List;

/**
 * What lies directly in a folder.
 *
 * @param objects in the order of their keys
 * @param folders names of the folders below, in order
 */
public record Listing(List<Item> objects, List<String> folders) {
    public Listing {
        objects = List.copyOf(objects);
        folders = List.copyOf(folders);
    }

    /** One object: its whole key and its bytes. */
    public record Item(String key, long length) {}
}
