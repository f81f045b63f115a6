package io.batchweave.cli.files;

import io.batchweave.cli.files.ObjectChannel.Window;
import io.batchweave.errors.InvalidRequestException;
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
import java.util.stream.Stream;

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
     * @param others what lies there and cannot be read, folders with a slash behind their names
     */
    record Folder(Map<String, Long> lengths, Set<String> folders, Set<String> others) {
        static Folder of(Listing listing) {
            return new Folder(
                    listing.objects().stream()
                            .collect(
                                    Collectors.toMap(
                                            item -> nameOf(item.key()), Listing.Item::length)),
                    Set.copyOf(listing.folders()),
                    Set.copyOf(listing.others()));
        }

        boolean isEmpty() {
            return lengths.isEmpty() && folders.isEmpty() && others.isEmpty();
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

    /**
     * What a folder holds.
     *
     * @throws InvalidRequestException if it has a name under which nothing can be read
     */
    Folder folder(String key) {
        if (holds(key + "/")) {
            throw unnamed(key);
        }
        return seen.computeIfAbsent(key, folder -> Folder.of(store.list(folder, "")));
    }

    /**
     * The names in a folder, each once, of what can be read and of what cannot.
     *
     * @throws InvalidRequestException if there is a folder without a name
     */
    Stream<String> names(String key) {
        Folder folder = folder(key);
        if (folder.others().contains("/")) {
            throw unnamed(Keys.prefix(key) + "/");
        }
        return Stream.of(folder.lengths().keySet(), folder.folders(), folder.others())
                .flatMap(Set::stream)
                .map(name -> name.replaceFirst("/$", ""))
                .distinct();
    }

    /**
     * The folder itself is asked, unless the one above is known: that may be a bucket of millions
     * of objects, or one that may not be listed.
     */
    boolean isFolder(String key) {
        if (holds(key + "/")) {
            return true;
        }
        if (!key.isEmpty() && seen.containsKey(above(key))) {
            return folder(above(key)).folders().contains(nameOf(key));
        }
        return isKey(key) && !folder(key).isEmpty();
    }

    /**
     * Bytes of an object, empty if there is none.
     *
     * @throws InvalidRequestException if it has a name under which nothing can be read
     */
    Optional<Long> length(String key) {
        if (holds(key)) {
            throw unnamed(key);
        }
        return isKey(key)
                ? Optional.ofNullable(folder(above(key)).lengths().get(nameOf(key)))
                : Optional.empty();
    }

    /** Whether this has been seen where it lies, and has a name that no key has. */
    private boolean holds(String path) {
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        int start = path.lastIndexOf('/', end - 1) + 1;
        Folder above = seen.get(path.substring(0, Math.max(0, start - 1)));
        boolean isSpace = path.equals("/");
        return !isSpace && above != null && above.others().contains(path.substring(start));
    }

    private InvalidRequestException unnamed(String path) {
        return new InvalidRequestException(
                "Cannot ingest "
                        + store.uri().replaceFirst("(?<!/)$", "/")
                        + path
                        + ": on a store only names of letters, digits, '_', '-', '=' and '.' can be"
                        + " read; rename it, or ingest it from a disk");
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
