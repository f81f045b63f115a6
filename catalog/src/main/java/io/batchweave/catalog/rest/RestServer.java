package io.batchweave.catalog.rest;

import io.batchweave.errors.UnavailableException;
import java.net.URI;
import java.util.Optional;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.rest.responses.ErrorResponseParser;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** An HTTP server that speaks Iceberg's REST protocol over a catalog. */
public final class RestServer implements AutoCloseable {
    private static final int THREADS_MAX = 64;
    private static final int HEADER_BYTES_MAX = 64 << 10;
    private static final long IDLE_MILLIS_MAX = 30_000;
    private static final long LINGER_MILLIS_MAX = 100;
    private static final long STOP_MILLIS_MAX = 10_000;

    private final Server server;
    private final ServerConnector connector;

    private RestServer(Routes routes, RestSettings settings) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX);
        threads.setName("catalog");
        threads.setDaemon(true);
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES_MAX);
        // Paths are matched as they were sent, and what stands in them is checked by us.
        http.setUriCompliance(UriCompliance.UNSAFE);
        connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setIdleTimeout(IDLE_MILLIS_MAX);
        connector.setShutdownIdleTimeout(LINGER_MILLIS_MAX);
        server.addConnector(connector);
        server.setHandler(new GracefulHandler(new Gate(routes.all(), settings)));
        server.setErrorHandler(RestServer::unreadable);
        server.setStopTimeout(STOP_MILLIS_MAX);
    }

    /**
     * Starts a server over a catalog, which must stay open until this is closed, and which this
     * does not close.
     *
     * @throws org.apache.iceberg.exceptions.ValidationException if it has no namespaces
     * @throws UnavailableException if the port is taken
     */
    public static RestServer start(Catalog catalog, RestSettings settings) {
        RestServer started = new RestServer(new Routes(catalog), settings);
        try {
            started.server.start();
            return started;
        } catch (Exception e) {
            started.close();
            throw new UnavailableException(
                    "Cannot listen on %s port %d: %s; choose another port"
                            .formatted(settings.host(), settings.port(), e.getMessage()),
                    e);
        }
    }

    /** What is no request, told in the same form as every other error. */
    private static boolean unreadable(Request request, Response response, Callback callback) {
        int status = response.getStatus() < 400 ? 400 : response.getStatus();
        Gate.write(
                request,
                response,
                callback,
                status,
                Optional.of(
                        ErrorResponseParser.toJson(
                                ErrorAnswers.answer(
                                        status,
                                        "BadRequestException",
                                        "Cannot read the request"))));
        return true;
    }

    /** Where clients find it. */
    public URI uri() {
        return URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort());
    }

    /** Takes no more requests, and waits at most ten seconds for those under way. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new UnavailableException(
                    "Cannot stop the server: " + e.getMessage() + "; end the process", e);
        }
    }
}
