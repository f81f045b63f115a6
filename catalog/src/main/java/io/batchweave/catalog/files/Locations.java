package io.batchweave.catalog.files;

import io.batchweave.store.Keys;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.ValidationException;

/** Which key a location leads to, however its URI is written. */
final class Locations {
    private static final Pattern SLASHES = Pattern.compile("^file:/*");
    private static final Pattern HADOOP_S3 = Pattern.compile("^s3[an]:");

    private final String uri;

    /** Those within the store of this URI. */
    Locations(String uri) {
        this.uri = uri;
    }

    /**
     * Returns the key.
     *
     * @throws ValidationException if the location is elsewhere, or no store could have it
     */
    String key(String location) {
        String space = plain(uri.endsWith("/") ? uri : uri + "/");
        String plain = plain(location);
        if (!plain.startsWith(space)) {
            throw new ValidationException(
                    "Cannot use file %s: it lies outside of the warehouse %s", location, uri);
        }
        try {
            return Keys.check(plain.substring(space.length()));
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    e,
                    "Cannot use file %s: %s (partition values become folders, unless property"
                            + " write.object-storage.partitioned-paths is false)",
                    location,
                    e.getMessage());
        }
    }

    /** Hadoop writes file:/x and s3a: where others write file:///x and s3:. */
    private static String plain(String location) {
        String absolute = location.startsWith("/") ? "file:" + location : location;
        return HADOOP_S3
                .matcher(SLASHES.matcher(absolute).replaceFirst("file:///"))
                .replaceFirst("s3:");
    }
}
