package io.batchweave.store.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.world.World;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The folder of a writer's unfinished files, {@code .uploads/<process>-<id>}. The writer holds a
 * lock in it for as long as it lives, which the system ends with the process, however that ends; so
 * a folder that can be locked belongs to nobody, and every new writer removes those.
 */
final class Staging implements AutoCloseable {
    static final String HOME = ".uploads";
    private static final String LOCK = "lock";

    /** The folders into which files of this writer have got second names, a line each. */
    private static final String TARGETS = "targets";

    /**
     * Who this process is. Locks are the process's own: touching a lock file of its other stores
     * would succeed, and end their locks. So it must know its folders by name.
     */
    private static final String PROCESS =
            ProcessHandle.current().pid()
                    + "-"
                    + ProcessHandle.current()
                            .info()
                            .startInstant()
                            .map(Instant::toEpochMilli)
                            .orElse(0L)
                    + "-";

    private static final int OPEN_TRIES_MAX = 100;

    private final Folders folders;
    private final Path own;
    private final FileChannel lock;
    private final AtomicLong files = new AtomicLong();
    private final Set<Path> targets = new HashSet<>();

    /** The file system lacks something, and will tomorrow. */
    static final class Unfit extends IOException {
        private static final long serialVersionUID = 1L;

        Unfit(String message, IOException cause) {
            super(message, cause);
        }
    }

    private Staging(Folders folders, Path own, FileChannel lock) {
        this.folders = folders;
        this.own = own;
        this.lock = lock;
    }

    /**
     * Removes what dead writers left and starts a folder.
     *
     * @throws IOException if the file system does not let us, or lacks locks or hard links
     */
    static Staging open(Folders folders, Disk disk, World world) throws IOException {
        Path home = folders.root().resolve(HOME);
        folders.make(home);
        removeDead(home, folders);
        for (int tries = 0; tries < OPEN_TRIES_MAX; tries++) {
            Path own = home.resolve(PROCESS + world.newId());
            Optional<FileChannel> lock = claim(own);
            if (lock.isPresent()) {
                Staging staging = new Staging(folders, own, lock.get());
                staging.requireHardLinks(disk);
                return staging;
            }
        }
        throw new IOException("other writers keep removing new folders in " + home);
    }

    /** Makes a folder and locks it; empty if another writer came between, who removes it. */
    private static Optional<FileChannel> claim(Path own) throws IOException {
        Path file = own.resolve(LOCK);
        FileChannel lock;
        try {
            Files.createDirectory(own);
            lock = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            return Optional.empty();
        }
        try {
            if (locked(lock) && Files.exists(file)) {
                return Optional.of(lock);
            }
            lock.close();
            return Optional.empty();
        } catch (IOException e) {
            lock.close();
            if (e instanceof ClosedByInterruptException) {
                throw e;
            }
            throw new Unfit(
                    "no file can be locked there (%s); use a file system that has locks"
                            .formatted(Why.of(e)),
                    e);
        }
    }

    /** Better now than after the first object has been written. */
    private void requireHardLinks(Disk disk) throws IOException {
        try {
            disk.tryToLink(own.resolve(LOCK), own.resolve("link"));
        } catch (IOException e) {
            close();
            throw new Unfit(
                    "no hard link can be made there (%s); use a file system that has them"
                            .formatted(Why.of(e)),
                    e);
        }
    }

    /** The name for a new file. */
    Path newFile() {
        return own.resolve(Long.toString(files.incrementAndGet()));
    }

    /**
     * Must be called before a file gets its second name, in {@code folder}. If this process is
     * killed before it has synced that folder, who clears up after it does.
     */
    synchronized void linksInto(Path folder) throws IOException {
        if (!targets.contains(folder)) {
            Files.writeString(
                    own.resolve(TARGETS),
                    folders.root().relativize(folder) + "\n",
                    UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            targets.add(folder);
        }
    }

    @Override
    public void close() {
        try (lock) {
            remove(own, folders);
        } catch (IOException e) {
            // The next writer will do it.
            return;
        }
    }

    private static void removeDead(Path home, Folders folders) throws IOException {
        for (String writer : Folders.names(home)) {
            if (!writer.startsWith(PROCESS)) {
                removeIfDead(home.resolve(writer), folders);
            }
        }
    }

    private static void removeIfDead(Path writer, Folders folders) {
        try (FileChannel lock = FileChannel.open(writer.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (locked(lock)) {
                remove(writer, folders);
            }
        } catch (NoSuchFileException e) {
            removeIfEmpty(writer);
        } catch (IOException e) {
            // Another one is at it, or may do it where we may not. It keeps nobody from writing.
            return;
        }
    }

    /**
     * Removes the folder of a writer who died before it made its lock file, or after it removed it.
     * One that is just starting makes another.
     */
    private static void removeIfEmpty(Path writer) {
        try {
            Files.deleteIfExists(writer);
        } catch (IOException e) {
            // It is no longer empty: its writer has made its lock.
            return;
        }
    }

    private static boolean locked(FileChannel file) throws IOException {
        FileLock lock = file.tryLock();
        return lock != null;
    }

    /** Removes a folder whose lock we hold; the lock file goes last. */
    private static void remove(Path writer, Folders folders) throws IOException {
        List<String> files = new ArrayList<>(Folders.names(writer));
        files.remove(LOCK);
        if (files.contains(TARGETS) && anyDoubtful(writer, files)) {
            syncTargets(writer, folders);
        }
        for (String file : files) {
            Files.deleteIfExists(writer.resolve(file));
        }
        Files.deleteIfExists(writer.resolve(LOCK));
        Files.deleteIfExists(writer);
    }

    private static boolean anyDoubtful(Path writer, List<String> files) throws IOException {
        for (String file : files) {
            if (Status.of(writer.resolve(file)).isDoubtful()) {
                return true;
            }
        }
        return false;
    }

    private static void syncTargets(Path writer, Folders folders) throws IOException {
        for (String target : Files.readAllLines(writer.resolve(TARGETS), UTF_8)) {
            try {
                folders.sync(folders.root().resolve(target));
            } catch (NoSuchFileException e) {
                // All that was in it has been deleted.
            }
        }
    }
}
