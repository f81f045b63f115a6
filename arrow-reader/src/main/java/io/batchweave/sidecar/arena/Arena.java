package io.batchweave.sidecar.arena;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** The files of one sidecar in shared memory. Thread-safe. */
public final class Arena implements AutoCloseable {
    private final Path folder;
    private final long bytesMax;
    private final Set<PosixFilePermission> permissions;
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    private Arena(Path folder, long bytesMax, Set<PosixFilePermission> permissions) {
        this.folder = folder;
        this.bytesMax = bytesMax;
        this.permissions = permissions;
    }

    /**
     * Makes the folder of an arena.
     *
     * @param memoryBytes the most that its files may take
     * @param permissions of its files
     * @throws InvalidRequestException if the file system is smaller; it names both numbers
     * @throws UnavailableException if the folder cannot be made
     */
    public static Arena make(Path folder, long memoryBytes, Set<PosixFilePermission> permissions) {
        try {
            long totalBytes = Files.getFileStore(folder.getParent()).getTotalSpace();
            if (totalBytes < memoryBytes) {
                throw new InvalidRequestException(
                        ("Cannot use %d bytes of memory: %s, on which the arena lies, has %d in all; ask"
                                        + " for less, or make it larger (in a container: --shm-size)")
                                .formatted(memoryBytes, folder.getParent(), totalBytes));
            }
            Files.createDirectory(folder);
            return new Arena(folder, memoryBytes, permissions);
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot make the arena %s: %s; choose another --shm-dir"
                            .formatted(folder, Why.of(e)),
                    e);
        }
    }

    /** What a file system of this size is used to where nobody says how much. */
    public static long defaultBytes(Path shmDir) {
        try {
            return Files.getFileStore(shmDir).getTotalSpace() / 4;
        } catch (IOException e) {
            throw new InvalidRequestException(
                    "Cannot use %s for shared memory: %s; choose another --shm-dir"
                            .formatted(shmDir, Why.of(e)),
                    e);
        }
    }

    public Path folder() {
        return folder;
    }

    /** The most that its files may take. */
    long bytesMax() {
        return bytesMax;
    }

    /** Bytes of the files that are there. */
    public long bytes() {
        return bytes.get();
    }

    /**
     * Begins a file.
     *
     * @throws ArenaFullException if not even its name has room
     */
    ArenaFile file() {
        Path path = folder.resolve(Long.toString(files.getAndIncrement()));
        try {
            FileChannel channel =
                    FileChannel.open(
                            path,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(permissions));
            return new ArenaFile(this, path, channel);
        } catch (IOException e) {
            throw full(path, e);
        }
    }

    /**
     * Takes room for bytes that are about to be written.
     *
     * @throws ArenaFullException if there is none
     */
    void take(long more) {
        if (bytes.addAndGet(more) > bytesMax) {
            bytes.addAndGet(-more);
            throw new ArenaFullException(
                    "of the shared memory at %s all of the %d bytes that it may take are taken; give it more (--memory)"
                            .formatted(folder, bytesMax));
        }
    }

    /** Takes a file's name away; who has mapped it keeps what is in it. */
    void unlink(Path file, long length) {
        bytes.addAndGet(-length);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot unlink %s: %s; its memory stays taken".formatted(file, Why.of(e)), e);
        }
    }

    static ArenaFullException full(Path file, IOException cause) {
        return new ArenaFullException(
                "shared memory could not be written to at %s: %s; make it larger, or use less of it"
                        .formatted(file, Why.of(cause)),
                cause);
    }

    /** Unlinks all its files and the folder. */
    @Override
    public void close() {
        remove(folder);
    }

    /** Removes the arena of a sidecar that is gone, as far as that is possible. */
    public static void remove(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot remove the arena %s: %s".formatted(folder, Why.of(e)), e);
        }
    }
}
