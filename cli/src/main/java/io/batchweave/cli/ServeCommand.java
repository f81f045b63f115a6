package io.batchweave.cli;

import io.batchweave.catalog.rest.RestServer;
import io.batchweave.catalog.rest.RestSettings;
import io.batchweave.catalog.rest.RestSettings.Access;
import io.batchweave.cli.serve.OpenCatalog;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a catalog to engines. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Serve the Iceberg tables of a warehouse by Iceberg's REST protocol, until Ctrl-C.",
            "Engines read and write the files themselves, with access of their own to the store."
        })
final class ServeCommand implements Callable<Integer>, Interruptible {
    private static final String TOKEN = "BATCHWEAVE_CATALOG_TOKEN";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");
    private static final long TOKEN_FILE_BYTES_MAX = 8_192;

    @Mixin private WarehouseOptions warehouse;
    @Mixin private CatalogOptions catalog;
    @Mixin private Output output;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "Name or address to listen on; others than this machine's own need a token. Default: ${DEFAULT-VALUE}")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8181",
            description = "Port to listen on; 0 for any that is free. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(names = "--read-only", description = "Let clients change nothing.")
    private boolean readOnly;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the bearer token that clients must send (or " + TOKEN + ").")
    private Path tokenFile;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Optional<RestServer> server = Optional.empty();

    @Override
    public Integer call() {
        RestSettings settings = settings();
        Map<String, String> other = catalog.other();
        if (!other.isEmpty()) {
            try (OpenCatalog opened = OpenCatalog.of(other)) {
                return serve(opened, settings, "the catalog").code();
            }
        }
        WarehouseOptions.Work work =
                store -> {
                    try (OpenCatalog opened = OpenCatalog.of(store, warehouse.world())) {
                        return serve(opened, settings, store.uri());
                    }
                };
        return readOnly ? warehouse.run(work) : warehouse.runOnNew(work);
    }

    private ExitCode serve(OpenCatalog opened, RestSettings settings, String what) {
        try (RestServer started = opened.serve(settings)) {
            server = Optional.of(started);
            output.print(
                    Output.object(
                            "uri",
                            started.uri().toString(),
                            "catalog",
                            what,
                            "read_only",
                            readOnly),
                    "Serving %s at %s%s; Ctrl-C ends it"
                            .formatted(what, started.uri(), readOnly ? ", to be read" : ""));
            output.flush();
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }

    private RestSettings settings() {
        if (port < 0 || port > 65_535) {
            throw new InvalidRequestException(
                    "Cannot listen on port " + port + ": give --port a number from 0 to 65535");
        }
        Access access = readOnly ? Access.READ_ONLY : Access.READ_AND_WRITE;
        Optional<String> token = token();
        if (token.isPresent()) {
            return RestSettings.guarded(host, port, access, token.get());
        }
        if (!LOOPBACK.contains(host)) {
            throw new InvalidRequestException(
                    "Cannot listen on %s without a token: whoever reaches it could change tables; give --token-file or set %s"
                            .formatted(host, TOKEN));
        }
        return RestSettings.loopback(port, access);
    }

    private Optional<String> token() {
        if (tokenFile == null) {
            return Optional.ofNullable(System.getenv(TOKEN));
        }
        try {
            if (Files.size(tokenFile) > TOKEN_FILE_BYTES_MAX) {
                throw new InvalidRequestException(
                        "Cannot take the token from %s: the file has more than %d bytes"
                                .formatted(tokenFile, TOKEN_FILE_BYTES_MAX));
            }
            return Optional.of(Files.readString(tokenFile).strip());
        } catch (IOException e) {
            throw CatalogOptions.unreadable(tokenFile, e);
        }
    }

    @Override
    public String interrupt() {
        server.ifPresent(RestServer::close);
        return "requests under way were answered; tables stay as they are";
    }
}
