package io.batchweave.cli.ingest;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Walks folders. Links are followed, since caches of data sets are made of them. */
final class Folder {
    /**
     * Folders deeper than this are taken for a link that leads back up. Linux passes over 40 links
     * in a path and then calls it missing, which must not be taken for the end.
     */
    static final int DEPTH_MAX = 32;

    private Folder() {}

    /** The entries of a folder whose names do not begin with a dot, in no order. */
    static List<Path> visibleEntries(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path entry : stream) {
                if (!isHidden(entry)) {
                    entries.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw Input.unreadable(folder, e.getCause());
        } catch (IOException e) {
            throw Input.unreadable(folder, e);
        }
        return entries;
    }

    static boolean isHidden(Path path) {
        return path.getFileName().toString().startsWith(".");
    }

    /** Gives {@code folder} and all visible folders below it to {@code visitor}. */
    static void walk(Path folder, Consumer<Path> visitor) {
        walk(folder, 0, visitor);
    }

    private static void walk(Path folder, int depth, Consumer<Path> visitor) {
        if (depth > DEPTH_MAX) {
            throw new InvalidRequestException(
                    "Cannot read "
                            + folder
                            + ": it is nested deeper than "
                            + DEPTH_MAX
                            + " folders; look for a link that leads back up");
        }
        visitor.accept(folder);
        for (Path entry : visibleEntries(folder)) {
            if (Files.isDirectory(entry)) {
                walk(entry, depth + 1, visitor);
            }
        }
    }
}
