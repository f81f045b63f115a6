package io.batchweave.e2e;

import io.batchweave.testing.Ports;
import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A stock Trino with its Iceberg plugin, in a process of its own. */
final class Trino implements Engine, AutoCloseable {
    private static final Path HOME =
            Path.of(System.getProperty("repository.root"), "tests/servers/trino/target");

    private static final int START_SECONDS_MAX = 180;
    private static final int POLL_MS = 200;

    private final Process process;
    private final int port;

    private Trino(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one.
     *
     * @param folder for its settings, log and files
     * @param catalog the settings of its catalog {@code weave}
     */
    static Trino start(Path folder, Map<String, String> catalog) {
        Optional<Path> java = java25();
        Require.that(
                java.isPresent(),
                "Trino runs on Java 25; install one in /usr/lib/jvm or set JAVA25_HOME");
        try {
            Path lib = found("trino-server-core-*").resolve("lib");
            Path plugins = Files.createDirectories(folder.resolve("plugin"));
            Files.createSymbolicLink(plugins.resolve("iceberg"), found("trino-iceberg-*"));
            Path catalogs = Files.createDirectories(folder.resolve("catalog"));
            write(catalogs.resolve("weave.properties"), catalog);
            int port = Ports.free();
            Path config = folder.resolve("config.properties");
            write(config, settings(port, plugins, catalogs));
            Path log = folder.resolve("trino.log");
            Process process =
                    new ProcessBuilder(
                                    java.orElseThrow().toString(),
                                    "-Xmx1G",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "--add-modules=jdk.incubator.vector",
                                    "--sun-misc-unsafe-memory-access=allow",
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-Dconfig=" + config,
                                    "-Dnode.environment=test",
                                    "-Dnode.data-dir=" + folder.resolve("data"),
                                    "-Dlog.enable-console=true",
                                    "-cp",
                                    lib + "/*",
                                    "io.trino.server.TrinoServer")
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            Trino server = new Trino(process, port);
            server.awaitReady(log);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> settings(int port, Path plugins, Path catalogs) {
        return Map.of(
                "coordinator", "true",
                "node-scheduler.include-coordinator", "true",
                "http-server.http.port", Integer.toString(port),
                "discovery.uri", "http://127.0.0.1:" + port,
                "query.max-memory", "300MB",
                "query.max-memory-per-node", "300MB",
                "memory.heap-headroom-per-node", "200MB",
                "plugin.dir", plugins.toString(),
                "catalog.config-dir", catalogs.toString());
    }

    private static void write(Path file, Map<String, String> settings) throws IOException {
        Files.write(
                file,
                settings.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList());
    }

    private static Path found(String name) throws IOException {
        Require.that(
                Files.isDirectory(HOME),
                "Trino is not in " + HOME + "; build the project from its root");
        try (var folders = Files.newDirectoryStream(HOME, name)) {
            return folders.iterator().next();
        }
    }

    private static Optional<Path> java25() {
        String given = System.getenv("JAVA25_HOME");
        if (given != null) {
            return Optional.of(Path.of(given, "bin/java"));
        }
        Path homes = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(homes)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(homes)) {
            return all.filter(Trino::isJava25)
                    .map(home -> home.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isJava25(Path home) {
        Path release = home.resolve("release");
        try {
            return Files.exists(release) && Files.readString(release).contains("JAVA_VERSION=\"25");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady(Path log) throws IOException {
        for (int polls = 0; !answers(); polls++) {
            if (polls > START_SECONDS_MAX * 1_000 / POLL_MS || endsWithinAPoll()) {
                process.destroyForcibly();
                throw new AssertionError("Trino did not start: " + Files.readString(log));
            }
        }
    }

    /** Until all has started, queries are refused. */
    private boolean answers() {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            return statement.execute("SHOW SCHEMAS FROM weave");
        } catch (SQLException e) {
            return false;
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:trino://127.0.0.1:" + port + "/weave?user=tests&timezone=UTC");
    }

    private boolean endsWithinAPoll() {
        try {
            return process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** It answers before it has heard of itself as a node that can scan tables. */
    @Override
    public List<Map<String, String>> ask(String question) {
        for (int polls = 0; true; polls++) {
            try {
                return asked(question);
            } catch (SQLException e) {
                boolean isLate = polls > START_SECONDS_MAX * 1_000 / POLL_MS;
                if (!e.getMessage().contains("No nodes available") || isLate || endsWithinAPoll()) {
                    throw new AssertionError(question, e);
                }
            }
        }
    }

    private List<Map<String, String>> asked(String question) throws SQLException {
        List<Map<String, String>> answer = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            while (rows.next()) {
                answer.add(row(rows));
            }
        }
        return answer;
    }

    private static Map<String, String> row(ResultSet rows) throws SQLException {
        Map<String, String> row = new TreeMap<>();
        ResultSetMetaData columns = rows.getMetaData();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            String value = rows.getString(column);
            if (value != null) {
                row.put(columns.getColumnLabel(column), value);
            }
        }
        return row;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
