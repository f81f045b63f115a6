package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port at which remote readers are served. */
final class FlightService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlightService.class);

    private final BufferAllocator allocator;
    private final ExecutorService streams;
    private final FlightServer server;

    private FlightService(BufferAllocator allocator, ExecutorService streams, FlightServer server) {
        this.allocator = allocator;
        this.streams = streams;
        this.server = server;
    }

    /**
     * Starts to serve.
     *
     * @throws InvalidRequestException if the port is taken, or the certificate cannot be read
     */
    static FlightService start(Node node, FlightSettings settings) {
        BufferAllocator allocator = new RootAllocator();
        ExecutorService streams = Executors.newCachedThreadPool(FlightService::daemon);
        Location location =
                settings.tls().isPresent()
                        ? Location.forGrpcTls(settings.host(), settings.port())
                        : Location.forGrpcInsecure(settings.host(), settings.port());
        FlightServer.Builder builder =
                FlightServer.builder(
                        allocator, location, new FlightSteps(node, allocator, streams));
        settings.token()
                .ifPresent(
                        token ->
                                builder.middleware(
                                        FlightServerMiddleware.Key.of("token"),
                                        new TokenCheck(token)));
        try {
            if (settings.tls().isPresent()) {
                builder.useTls(settings.tls().get().certificates(), settings.tls().get().key());
            }
            return new FlightService(allocator, streams, builder.build().start());
        } catch (IOException | RuntimeException e) {
            allocator.close();
            throw new InvalidRequestException(
                    "Cannot serve Arrow Flight on " + settings + ": " + e.getMessage(), e);
        }
    }

    private static Thread daemon(Runnable stream) {
        Thread thread = new Thread(stream, "flight");
        thread.setDaemon(true);
        return thread;
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        try {
            server.shutdown();
            streams.shutdownNow();
            if (!streams.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("Some streams did not end in time");
            }
            server.close();
            allocator.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Arrow Flight did not end cleanly", e);
        }
    }
}
