package io.batchweave.cli.inputs;

import io.batchweave.cli.files.Location;
import io.batchweave.errors.InvalidRequestException;
import java.util.function.Consumer;

/** Walks folders. Links are followed, since caches of data sets are made of them. */
final class Folder {
    /**
     * Folders deeper than this are taken for a link that leads back up. Linux passes over 40 links
     * in a path and then calls it missing, which must not be taken for the end.
     */
    static final int DEPTH_MAX = 32;

    private Folder() {}

    /** Gives {@code folder} and all visible folders below it to {@code visitor}. */
    static void walk(Location folder, Consumer<Location> visitor) {
        walk(folder, 0, visitor);
    }

    private static void walk(Location folder, int depth, Consumer<Location> visitor) {
        if (depth > DEPTH_MAX) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + folder
                            + ": it is nested deeper than "
                            + DEPTH_MAX
                            + " folders; look for a link that leads back up");
        }
        visitor.accept(folder);
        for (Location entry : folder.visibleEntries()) {
            if (entry.isFolder()) {
                walk(entry, depth + 1, visitor);
            }
        }
    }
}
