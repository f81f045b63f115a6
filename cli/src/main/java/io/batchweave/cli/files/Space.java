package io.batchweave.cli.files;

import io.batchweave.cli.files.ObjectChannel.Window;
import io.batchweave.store.Keys;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import java.nio.channels.SeekableByteChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A store, and what was seen in its folders. Its objects do not change, so that each folder is
 * listed once: those that an ingest finds are those that were there when it looked.
 */
final class Space {
    /** What no key holds, but a pattern does, which is first looked for as if it were a name. */
    private static final Pattern NO_KEY = Pattern.compile(".*[*?\\[{].*");

    private final ObjectStore store;
    private final Map<String, Folder> seen = new HashMap<>();
    private String lastKey = "";
    private ObjectChannel last;

    /**
     * What lies in a folder, by its names.
     *
     * @param lengths bytes of the objects
     */
    record Folder(Map<String, Long> lengths, Set<String> folders) {
        static Folder of(Listing listing) {
            return new Folder(
                    listing.objects().stream()
                            .collect(
                                    Collectors.toMap(
                                            item -> nameOf(item.key()), Listing.Item::length)),
                    Set.copyOf(listing.folders()));
        }

        boolean isEmpty() {
            return lengths.isEmpty() && folders.isEmpty();
        }
    }

    Space(ObjectStore store) {
        this.store = store;
        this.last = channel("", 0, Window.NOTHING);
    }

    ObjectStore store() {
        return store;
    }

    String uriOf(String key) {
        return key.isEmpty() ? store.uri() : store.nameOf(key);
    }

    Folder folder(String key) {
        return seen.computeIfAbsent(key, folder -> Folder.of(store.list(folder, "")));
    }

    /**
     * The folder itself is asked, unless the one above is known: that may be a bucket of millions
     * of objects, or one that may not be listed.
     */
    boolean isFolder(String key) {
        if (!key.isEmpty() && seen.containsKey(above(key))) {
            return folder(above(key)).folders().contains(nameOf(key));
        }
        return isKey(key) && !folder(key).isEmpty();
    }

    /** Bytes of an object, empty if there is none. */
    Optional<Long> length(String key) {
        return isKey(key)
                ? Optional.ofNullable(folder(above(key)).lengths().get(nameOf(key)))
                : Optional.empty();
    }

    private static boolean isKey(String key) {
        return !NO_KEY.matcher(key).matches() && Keys.checkFolder(key).equals(key);
    }

    /**
     * Opens an object. An input is opened to see its kind, then for its fingerprint, then for its
     * rows: its beginning, or all of it if it is small, is fetched once for the three.
     */
    SeekableByteChannel open(String key, long size) {
        last = channel(key, size, key.equals(lastKey) ? last.window() : Window.NOTHING);
        lastKey = key;
        return last;
    }

    private ObjectChannel channel(String key, long size, Window known) {
        return new ObjectChannel(store, key, size, known);
    }

    static String nameOf(String key) {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    private static String above(String key) {
        return key.substring(0, Math.max(0, key.lastIndexOf('/')));
    }
}
