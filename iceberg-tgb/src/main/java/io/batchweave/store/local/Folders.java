package io.batchweave.store.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * The folders between a store's root and its objects. They come with their first object and go with
 * their last, and their names are synced once, not with every object.
 *
 * <p>Once means once among all processes, so it is written down, as a file {@code .durable} in the
 * folder. It cannot outlast what it speaks of: a folder can be removed only when it is empty, and
 * no folder above it before. Remembering it in each process instead would be wrong: another process
 * may have removed the folder and made it anew, and not have synced it yet.
 */
final class Folders {
    private static final String DURABLE = ".durable";

    private final Path root;
    private final Disk disk;

    Folders(Path root, Disk disk) {
        this.root = root;
        this.disk = disk;
    }

    Path root() {
        return root;
    }

    /**
     * Makes a folder and those above it, but never the root: a root that is missing may be a disk
     * that is not mounted.
     *
     * @throws NoSuchFileException if the root is missing, or if somebody prunes at the same time
     */
    void make(Path folder) throws IOException {
        try {
            makeOne(folder);
        } catch (NoSuchFileException e) {
            if (folder.getParent().equals(root)) {
                throw new NoSuchFileException(root.toString());
            }
            make(folder.getParent());
            makeOne(folder);
        }
    }

    private static void makeOne(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
                throw new FileSystemException(folder.toString(), null, "Not a folder");
            }
        }
    }

    /** Makes the names in a folder durable, and its own name, up to the root. */
    void sync(Path folder) throws IOException {
        disk.syncFolder(folder);
        if (!folder.equals(root) && !Files.exists(folder.resolve(DURABLE))) {
            sync(folder.getParent());
        }
    }

    /**
     * Writes down that a folder is durable, so that {@link #sync} can stop there. Only for who has
     * just linked an object into it and then synced it: as long as that object is there, this is
     * still the same folder. (Nobody deletes an object whose create has not returned.)
     */
    void markDurable(Path folder) {
        if (folder.equals(root)) {
            return;
        }
        try {
            Files.createFile(folder.resolve(DURABLE));
            markDurable(folder.getParent());
        } catch (IOException e) {
            // It is there already, or there is no space for it: then the next one syncs once more.
            return;
        }
    }

    /** Removes a folder that has become empty, and those above it that become so. */
    void prune(Path folder) {
        try {
            for (Path at = folder; !at.equals(root) && isEmpty(at); at = at.getParent()) {
                // If somebody creates an object here meanwhile, the folder stays, without its mark.
                Files.deleteIfExists(at.resolve(DURABLE));
                Files.deleteIfExists(at);
            }
        } catch (DirectoryNotEmptyException e) {
            return;
        } catch (IOException e) {
            // An empty folder that stays does no harm.
            return;
        }
    }

    /** The names in a folder, in no order. */
    static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(folder, entry -> !entry.endsWith(DURABLE))) {
            return !entries.iterator().hasNext();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NoSuchFileException e) {
            return true;
        }
    }
}
