package io.batchweave.sidecar;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How a sidecar runs.
 *
 * @param folder of socket, lock and arena; on a file system in memory
 * @param socket where it listens; empty: in the folder
 * @param memoryBytes of the arena that readers share; empty: a quarter of the file system
 * @param idle ends after this long without a client; zero: never
 * @param sharing who besides its user may use it
 * @param metricsPort where Prometheus is served on this machine; empty: nowhere
 * @param flight how remote readers are served; empty: not at all
 * @param fetchers so many fetches run at once
 * @param full how long a fetch waits for room in shared memory
 */
public record SidecarSettings(
        Path folder,
        Optional<Path> socket,
        Optional<Long> memoryBytes,
        Duration idle,
        Sharing sharing,
        Optional<Integer> metricsPort,
        Optional<FlightSettings> flight,
        int fetchers,
        Duration full) {

    /** Who may use a sidecar. */
    public enum Sharing {
        USER,
        GROUP
    }

    /** So many fetches run at once where nothing else is said. */
    public static final int FETCHERS = 8;

    /** So long a fetch waits for room where nothing else is said. */
    public static final Duration FULL = Duration.ofSeconds(30);

    /**
     * The folder that all processes of this user look for below a file system in memory: absolute,
     * as trainers that stand elsewhere are told of files in it.
     */
    public static Path userFolder(Path shmDir) {
        return shmDir.toAbsolutePath().normalize().resolve("batchweave-" + ControlFolder.userId());
    }

    /** Where it listens. */
    public Path socketPath() {
        return socket.orElse(folder.resolve("sidecar.sock"));
    }
}
