package io.batchweave.store.local;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Arbiter;
import io.batchweave.store.Bounds;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Keys;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Objects as files below a folder, its root, for the threads of any number of processes.
 *
 * <p>The root must exist: one that does not may be a disk that is not mounted. It must be one file
 * system, with hard links and file locks. Store time is the world's clock.
 */
public final class LocalStore implements ObjectStore {
    private final Path root;
    private final World world;
    private final Disk disk;
    private final Folders folders;
    private final Pieces pieces = new Pieces();
    private Optional<Staging> staging = Optional.empty();
    private boolean closed;

    /**
     * Opens the store of a folder. Nothing is read or written yet.
     *
     * @throws InvalidRequestException if the folder is of a file system without hard links
     */
    public LocalStore(Path root, World world) {
        this(root, world, new Disk());
    }

    LocalStore(Path root, World world, Disk disk) {
        if (!root.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            throw new InvalidRequestException(
                    "Cannot open the store %s: its file system is not of POSIX kind; use Linux or"
                                    .formatted(root)
                            + " macOS, or an object store");
        }
        this.root = root.toAbsolutePath().normalize();
        this.world = world;
        this.disk = disk;
        this.folders = new Folders(this.root, disk);
    }

    @Override
    public String uri() {
        return root.toUri().toString();
    }

    @Override
    public Arbiter arbiter() {
        return Arbiter.SYSTEM;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        Path file = fileOf(key);
        // Losers of a race need not write anything to learn that they have lost.
        if (Files.exists(file)) {
            return refused(key, file);
        }
        try (Upload upload = upload(key)) {
            upload.write(body.duplicate());
            return upload.complete();
        }
    }

    @Override
    public Upload upload(String key) {
        Path file = fileOf(key);
        try {
            return new LocalUpload(this, staging(), key, file);
        } catch (IOException e) {
            throw cannot("create", key, e);
        }
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return fetch(
                key,
                file -> {
                    long length = file.size();
                    Bounds.checkWhole(uri(), key, length, bytesMax);
                    return fill(key, file, 0, ByteBuffer.allocate((int) length));
                });
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        Bounds.checkOffset(offset);
        return fetch(key, file -> fill(key, file, offset, target));
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        Bounds.checkSpan(offset, length);
        return fetch(
                key,
                file -> {
                    Bounds.checkRange(uri(), key, offset, length, file.size());
                    long moved = pieces.pass(file, offset, length, sink);
                    // Somebody may have cut it meanwhile.
                    Bounds.checkRange(uri(), key, offset, length, offset + moved);
                    return ByteBuffer.allocate(0);
                });
    }

    /** Something that is done with an open object. */
    private interface Reading {
        ByteBuffer from(FileChannel file) throws IOException;
    }

    private Fetched fetch(String key, Reading reading) {
        Path file = fileOf(key);
        try {
            Status status = Status.of(file);
            if (!status.isFile()) {
                return new Fetched.Absent(now());
            }
            if (status.isDoubtful()) {
                folders.sync(file.getParent());
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                return new Fetched.Found(reading.from(channel), now());
            }
        } catch (NoSuchFileException e) {
            requireRoot("read", key);
            return new Fetched.Absent(now());
        } catch (IOException e) {
            throw cannot("read", key, e);
        }
    }

    private ByteBuffer fill(String key, FileChannel file, long offset, ByteBuffer target)
            throws IOException {
        ByteBuffer body = target.slice();
        int wanted = body.remaining();
        Bounds.checkRange(uri(), key, offset, wanted, file.size());
        Bulk.read(file, offset, target);
        // Somebody may have cut it meanwhile.
        Bounds.checkRange(uri(), key, offset, wanted, offset + wanted - target.remaining());
        return body;
    }

    @Override
    public Listing list(String folder, String after) {
        String prefix = Keys.prefix(Keys.checkFolder(folder));
        Keys.checkFolder(after);
        List<Listing.Item> items = new ArrayList<>();
        List<String> below = new ArrayList<>();
        List<String> others = new ArrayList<>();
        try {
            for (String name : Folders.names(root.resolve(folder))) {
                String key = prefix + name;
                if (Keys.isName(name) && key.compareTo(after) > 0) {
                    addTo(items, below, key);
                } else if (Keys.isOther(name) && key.compareTo(after) > 0) {
                    others.add(Files.isDirectory(root.resolve(key)) ? name + "/" : name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            requireRoot("list", folder);
        } catch (IOException e) {
            throw cannot("list", folder, e);
        }
        return new Listing(items, below, others);
    }

    private void addTo(List<Listing.Item> items, List<String> below, String key)
            throws IOException {
        Path file = root.resolve(key);
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                below.add(file.getFileName().toString());
            } else if (attributes.isRegularFile()) {
                items.add(new Listing.Item(key, attributes.size()));
            }
        } catch (NoSuchFileException e) {
            // It was deleted since we read its name.
            return;
        }
    }

    @Override
    public void delete(Collection<String> keys) {
        List<Path> files = keys.stream().map(this::fileOf).toList();
        Set<Path> touched = new LinkedHashSet<>();
        for (Path file : files) {
            touched.add(file.getParent());
            try {
                Files.deleteIfExists(file);
            } catch (DirectoryNotEmptyException e) {
                // A folder is no object, so there is nothing to delete.
            } catch (IOException e) {
                throw cannot("delete", root.relativize(file).toString(), e);
            }
        }
        touched.forEach(folders::prune);
        // Of a disk that is not mounted nothing was deleted.
        requireRoot("delete from", "");
    }

    @Override
    public synchronized void close() {
        closed = true;
        staging.ifPresent(Staging::close);
        staging = Optional.empty();
    }

    /** The folder for unfinished files; a store that only reads makes none. */
    private synchronized Staging staging() throws IOException {
        if (closed) {
            throw new InvalidRequestException(
                    "Cannot write to %s: the store was closed; open it again".formatted(uri()));
        }
        if (staging.isEmpty()) {
            staging = Optional.of(Staging.open(folders, disk, world));
        }
        return staging.get();
    }

    /**
     * What to tell who found the key taken. The other one may have linked its file and not have
     * synced the folder yet, or never live to do it; what we tell must hold after a crash.
     *
     * @throws UnavailableException if what is there is no object
     */
    Creation refused(String key, Path file) {
        try {
            Status status = Status.of(file);
            if (!status.isFile()) {
                throw cannot(
                        "create",
                        key,
                        new FileSystemException(file.toString(), null, "Is a folder"));
            }
            if (status.isDoubtful()) {
                folders.sync(file.getParent());
            }
        } catch (NoSuchFileException e) {
            // It was there and was deleted since.
            return new Creation.Refused(now());
        } catch (IOException e) {
            return new Creation.Unknown(e);
        }
        return new Creation.Refused(now());
    }

    Folders folders() {
        return folders;
    }

    Disk disk() {
        return disk;
    }

    Instant now() {
        return world.clock().instant();
    }

    UnavailableException cannot(String verb, String key, IOException cause) {
        return Why.failure("Cannot %s %s in %s".formatted(verb, key, uri()), cause);
    }

    private Path fileOf(String key) {
        return root.resolve(Keys.check(key));
    }

    private void requireRoot(String verb, String key) {
        if (!Files.isDirectory(root)) {
            throw new UnavailableException(
                    "Cannot %s %s in %s: its root folder does not exist; create it, or mount it"
                            .formatted(verb, key, uri()));
        }
    }
}
