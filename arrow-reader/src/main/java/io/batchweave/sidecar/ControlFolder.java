package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.sidecar.arena.Arena;
import io.batchweave.sidecar.arena.Why;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The folder of one user's sidecar: the socket, the lock and the arenas. */
final class ControlFolder {
    private static final String ARENA = "arena-";

    /** What kind of file it is, of its mode (inode(7)). */
    private static final int FILE_TYPE = 0170000;

    private static final int SOCKET = 0140000;

    private final Path folder;

    private ControlFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder, unless it is there.
     *
     * @param permissions of the folder, if it is made
     * @throws InvalidRequestException if it is somebody else's
     */
    static ControlFolder make(Path folder, Set<PosixFilePermission> permissions) {
        try {
            try {
                Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(permissions));
                // What the process masks is wanted all the same.
                Files.setPosixFilePermissions(folder, permissions);
            } catch (FileAlreadyExistsException e) {
                demandOurs(folder);
            }
            return new ControlFolder(folder);
        } catch (IOException e) {
            throw new InvalidRequestException(
                    "Cannot use folder %s for the sidecar: %s; choose another --shm-dir"
                            .formatted(folder, why(folder, e)),
                    e);
        }
    }

    private static String why(Path folder, IOException cause) {
        return Files.exists(folder.getParent())
                ? Why.of(cause)
                : folder.getParent() + " does not exist";
    }

    private static void demandOurs(Path folder) throws IOException {
        Object owner = Files.getAttribute(folder, "unix:uid");
        if (!owner.equals(userId())) {
            throw new InvalidRequestException(
                    "Cannot use folder %s for the sidecar: it belongs to user %s, not to %s"
                            .formatted(folder, owner, userId()));
        }
    }

    /** The number of the user that this process runs as. */
    static Object userId() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            throw new InvalidRequestException(
                    "Cannot learn which user this process runs as from /proc/self: "
                            + (e instanceof IOException cause ? Why.of(cause) : e.getMessage()),
                    e);
        }
    }

    Path arena(long pid) {
        return folder.resolve(ARENA + pid);
    }

    /** The right to serve here, for as long as the channel is open; empty if another has it. */
    Optional<FileChannel> lock() {
        try {
            FileChannel channel =
                    FileChannel.open(
                            folder.resolve("sidecar.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                return Optional.of(channel);
            }
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw cannot("lock", e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // The other one is in this very process.
            return false;
        }
    }

    /**
     * Removes what a sidecar left that was killed, its socket too. Only who has the lock may.
     *
     * @throws InvalidRequestException if there is something else where the socket is to be
     */
    void clear(Path socket) {
        demandFree(socket);
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> arenas =
                    all.filter(path -> path.getFileName().toString().startsWith(ARENA)).toList();
            arenas.forEach(Arena::remove);
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            throw cannot("clear", e);
        }
    }

    /** A named socket may be anywhere, and what lies there anybody's. */
    private static void demandFree(Path socket) {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(socket)) {
            throw new InvalidRequestException(
                    "Cannot listen at %s: there is something that is no socket; name another --socket"
                            .formatted(socket));
        }
        if (hasListener(socket)) {
            throw new InvalidRequestException(
                    "Cannot listen at %s: another process does; name another --socket, or end that"
                            .formatted(socket));
        }
    }

    private static boolean isSocket(Path path) {
        try {
            int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & FILE_TYPE) == SOCKET;
        } catch (IOException e) {
            throw new UnavailableException("Cannot look at %s: %s".formatted(path, Why.of(e)), e);
        }
    }

    private static boolean hasListener(Path socket) {
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return client.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private UnavailableException cannot(String verb, IOException cause) {
        return new UnavailableException(
                "Cannot %s the sidecar's folder %s: %s".formatted(verb, folder, Why.of(cause)),
                cause);
    }
}
