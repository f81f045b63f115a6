package io.batchweave.cli.files;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Stores;
import io.batchweave.world.World;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds places by what people call them: paths on this machine, and URIs, whose stores are opened
 * when they are first needed and closed with this. Used by one thread.
 */
public final class Locations implements AutoCloseable {
    /** What is behind the first part is a key, or a pattern of keys, and is not escaped. */
    private static final Pattern STORED =
            Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+://[^/]*)/*(.*?)/*");

    private static final Pattern LOCAL = Pattern.compile("(?i)file:(?://(?:localhost)?(?=/))?(.+)");

    private final Function<String, ObjectStore> opener;
    private final Map<String, Space> spaces = new HashMap<>();

    /**
     * Places on the stores that {@code opener} opens.
     *
     * @param opener takes a URI such as {@code s3://bucket/}
     */
    public Locations(Function<String, ObjectStore> opener) {
        this.opener = opener;
    }

    /** Places on all stores that there are. */
    public static Locations in(World world) {
        return new Locations(uri -> Stores.open(uri, world));
    }

    /**
     * What is called {@code text}: a path, such a path as a file URI, or the URI of an object or a
     * folder.
     *
     * @throws InvalidRequestException if it can be none
     * @throws IllegalArgumentException if no key of a store is of this form
     */
    public Location at(String text) {
        String plain = plain(text);
        Matcher stored = STORED.matcher(plain);
        return stored.matches()
                ? new StoredFile(space(stored.group(1) + "/"), stored.group(2))
                : new LocalFile(path(plain));
    }

    /**
     * The same without the form of a file URI, so that what follows is a path or, on a store, a
     * key.
     */
    public static String plain(String text) {
        Matcher local = LOCAL.matcher(text);
        if (!local.matches()) {
            return text;
        }
        try {
            String kept = local.group(1).replace("+", "%2B");
            return URLDecoder.decode(kept, StandardCharsets.UTF_8).replaceFirst("^/+", "/");
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "Cannot ingest '" + text + "': it is no URI; write '%' as %25", e);
        }
    }

    /** The folder from which relative paths go. */
    public Location workingFolder() {
        return new LocalFile(Path.of(""));
    }

    private Space space(String uri) {
        return spaces.computeIfAbsent(uri, each -> new Space(opener.apply(each)));
    }

    private static Path path(String text) {
        try {
            if (!text.isBlank()) {
                return Path.of(text);
            }
        } catch (InvalidPathException e) {
            throw new InvalidRequestException(
                    "Cannot ingest '" + e.getReason() + "': it is no path; name a file", e);
        }
        throw new InvalidRequestException("Cannot ingest '': it is no path; name a file");
    }

    @Override
    public void close() {
        spaces.values().forEach(space -> space.store().close());
        spaces.clear();
    }
}
