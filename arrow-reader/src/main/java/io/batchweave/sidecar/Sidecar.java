package io.batchweave.sidecar;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.sidecar.arena.Arena;
import io.batchweave.sidecar.arena.Slices;
import io.batchweave.sidecar.arena.Why;
import io.batchweave.store.Stores;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process that fetches for the trainers of its node. */
public final class Sidecar implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sidecar.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int BACKLOG = 1_024;

    /** What an address of a Unix socket has room for (unix(7)). */
    private static final int SOCKET_PATH_BYTES_MAX = 107;

    private final World world;
    private final SidecarSettings settings;
    private final Identity identity;
    private final FileChannel lock;
    private final Slices slices;
    private final ExecutorService fetchers;
    private final ExecutorService clients = Executors.newCachedThreadPool(Sidecar::daemon);
    private final Node node;
    private final ServerSocketChannel server;
    private final Optional<Metrics> metrics;
    private final Optional<FlightService> flight;
    private final AtomicInteger connections = new AtomicInteger();

    private Sidecar(
            World world,
            SidecarSettings settings,
            Identity identity,
            FileChannel lock,
            Slices slices,
            long memoryBytes,
            ServerSocketChannel server) {
        this.world = world;
        this.settings = settings;
        this.identity = identity;
        this.lock = lock;
        this.slices = slices;
        this.server = server;
        this.fetchers = Executors.newFixedThreadPool(settings.fetchers(), Sidecar::daemon);
        this.node =
                new Node(
                        world,
                        uri -> Stores.open(uri, world),
                        slices,
                        memoryBytes,
                        settings.full(),
                        fetchers);
        this.metrics = settings.metricsPort().map(port -> Metrics.serve(node, port));
        this.flight = flight();
    }

    private Optional<FlightService> flight() {
        try {
            return settings.flight().map(by -> FlightService.start(node, by));
        } catch (RuntimeException | Error e) {
            metrics.ifPresent(Metrics::close);
            throw e;
        }
    }

    /**
     * Starts to serve; empty if another sidecar does in this folder.
     *
     * @throws InvalidRequestException if the folder is none of ours, the memory is more than there
     *     is, or a port or the path of the socket cannot be used; then nothing is left of it
     */
    public static Optional<Sidecar> start(
            World world, SidecarSettings settings, Identity identity) {
        demandShort(settings.socketPath());
        boolean isOurs = settings.sharing() == SidecarSettings.Sharing.USER;
        ControlFolder folder =
                ControlFolder.make(
                        settings.folder(), permissions(isOurs ? "rwx------" : "rwxr-x---"));
        Optional<FileChannel> lock = folder.lock();
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        ServerSocketChannel server;
        try {
            folder.clear(settings.socketPath());
            server = bind(settings.socketPath(), isOurs ? "rw-------" : "rw-rw----");
        } catch (RuntimeException | Error e) {
            close(lock.get());
            throw e;
        }
        try {
            long memoryBytes =
                    settings.memoryBytes().orElseGet(() -> Arena.defaultBytes(settings.folder()));
            Arena arena =
                    Arena.make(
                            folder.arena(identity.pid()),
                            memoryBytes,
                            permissions(isOurs ? "rw-------" : "rw-r-----"));
            return Optional.of(
                    new Sidecar(
                            world,
                            settings,
                            identity,
                            lock.get(),
                            new Slices(arena),
                            memoryBytes,
                            server));
        } catch (RuntimeException | Error e) {
            close(server);
            folder.clear(settings.socketPath());
            close(lock.get());
            throw e;
        }
    }

    private static void demandShort(Path socket) {
        int bytes = socket.toString().getBytes(UTF_8).length;
        if (bytes > SOCKET_PATH_BYTES_MAX) {
            throw new InvalidRequestException(
                    "Cannot listen at %s: the path of a Unix socket has at most %d bytes, and this has %d; name a shorter --shm-dir or --socket"
                            .formatted(socket, SOCKET_PATH_BYTES_MAX, bytes));
        }
    }

    private static Set<PosixFilePermission> permissions(String text) {
        return PosixFilePermissions.fromString(text);
    }

    private static ServerSocketChannel bind(Path socket, String permissions) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
            Files.setPosixFilePermissions(socket, permissions(permissions));
            return server;
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot listen at %s: %s; choose another --shm-dir or --socket"
                            .formatted(socket, Why.of(e)),
                    e);
        }
    }

    /** Serves until it was idle for as long as its settings say, or is closed. */
    public void run() {
        clients.execute(
                new Entrance(server::accept, this::serve, clients, world.pause(), connections));
        Deadline idle = world.deadline(settings.idle());
        while (server.isOpen() && (settings.idle().isZero() || idle.remains())) {
            world.pause().pause(POLL);
            if (connections.get() > 0) {
                idle = world.deadline(settings.idle());
            }
        }
        close();
    }

    private void serve(SocketChannel client) {
        try (Lines lines = new Lines(client)) {
            new Conversation(lines, new Connection(node, identity)).run(clients);
        } catch (IOException e) {
            LOG.debug("A client is gone", e);
        }
    }

    /** Where Prometheus is served, if it is. */
    public Optional<Integer> metricsPort() {
        return metrics.map(Metrics::port);
    }

    /** Where remote readers are served, if they are. */
    public Optional<Integer> flightPort() {
        return flight.map(FlightService::port);
    }

    Node node() {
        return node;
    }

    /** How its readers fare, in a line. */
    public String summary() {
        return Health.of(node).summary();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "sidecar");
        thread.setDaemon(true);
        return thread;
    }

    /** Ends: clients lose their connections, and the arena is removed. */
    @Override
    public synchronized void close() {
        if (!lock.isOpen()) {
            return;
        }
        try {
            server.close();
            metrics.ifPresent(Metrics::close);
            flight.ifPresent(FlightService::close);
            clients.shutdownNow();
            fetchers.shutdownNow();
            if (!clients.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("Some clients did not end in time");
            }
            Files.deleteIfExists(settings.socketPath());
            slices.close();
        } catch (IOException e) {
            LOG.warn("The sidecar did not end cleanly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(lock);
        }
    }

    private static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("{} was not closed", channel, e);
        }
    }
}
