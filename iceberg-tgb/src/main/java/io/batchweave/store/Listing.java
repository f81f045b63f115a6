package io.batchweave.store;

import java.util.Comparator;
import java.util.List;

/**
 * What lies directly in a folder; brought into order when it is made.
 *
 * @param objects in the order of their keys
 * @param folders names of the folders below, in order; where folders are real, one that holds
 *     nothing may be among them
 * @param others what other programs have put there under names that no key has, in order: names of
 *     objects, and names of folders with a slash behind them. Nothing can be done with these by
 *     this interface. Names that begin with a dot are not told, and an object without a name, by
 *     which some programs mark a folder, is none.
 */
public record Listing(List<Item> objects, List<String> folders, List<String> others) {
    public Listing {
        objects = objects.stream().sorted(Comparator.comparing(Item::key)).toList();
        folders = folders.stream().sorted().toList();
        others = others.stream().sorted().toList();
    }

    /** Nothing but what keys lead to. */
    public Listing(List<Item> objects, List<String> folders) {
        this(objects, folders, List.of());
    }

    /** One object: its whole key and its length in bytes. */
    public record Item(String key, long length) {}
}
