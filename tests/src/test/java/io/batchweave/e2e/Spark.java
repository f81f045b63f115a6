package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.testing.Require;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A stock Spark with Iceberg's runtime, in a process of its own, that knows the examples alone. */
final class Spark implements Engine, AutoCloseable {
    private static final Path ROOT = Path.of(System.getProperty("repository.root"));
    private static final Path LIB = ROOT.resolve("tests/servers/spark/target/lib");
    private static final List<String> OPENED =
            List.of("sun.nio.ch", "java.nio", "java.lang.invoke", "java.util", "sun.util.calendar");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path log;
    private final BufferedWriter statements;
    private final BufferedReader rows;

    private Spark(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.statements = process.outputWriter(UTF_8);
        this.rows = process.inputReader(UTF_8);
    }

    /**
     * Starts one that takes statements.
     *
     * @param folder for its log and temporary files
     * @param settings its own and those of its catalogs
     */
    static Spark start(Path folder, Map<String, String> settings) {
        return start(folder, settings, "io.batchweave.examples.Sql");
    }

    /** Runs a main class until it ends. */
    static void run(Path folder, Map<String, String> settings, String main, String... arguments)
            throws IOException, InterruptedException {
        try (Spark spark = start(folder, settings, main, arguments)) {
            if (spark.process.waitFor() != 0) {
                throw new AssertionError(Files.readString(spark.log));
            }
        }
    }

    private static Spark start(
            Path folder, Map<String, String> settings, String main, String... arguments) {
        Require.that(
                Files.isDirectory(LIB),
                "Spark is not in " + LIB + "; build the project from its root");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        Map<String, String> all = new TreeMap<>(settings);
        all.put("spark.master", "local[2]");
        all.put("spark.ui.enabled", "false");
        all.put("spark.driver.host", "127.0.0.1");
        all.put("spark.driver.bindAddress", "127.0.0.1");
        all.put("spark.local.dir", folder.resolve("spark").toString());
        all.put("spark.sql.shuffle.partitions", "2");
        all.put("spark.sql.session.timeZone", "UTC");
        all.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(
                List.of("-cp", LIB + "/*:" + ROOT.resolve("spark-examples/target/classes"), main));
        command.addAll(List.of(arguments));
        try {
            Path log = Files.createTempFile(folder, "spark-", ".log");
            return new Spark(
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectError(log.toFile())
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<Map<String, String>> ask(String statement) {
        List<Map<String, String>> answer = new ArrayList<>();
        try {
            statements.write(statement.strip() + "\n;\n");
            statements.flush();
            for (String line = rows.readLine(); !";".equals(line); line = rows.readLine()) {
                if (line == null) {
                    throw new AssertionError(statement + "\n" + Files.readString(log));
                }
                answer.add(row(line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer;
    }

    static Map<String, String> row(String line) throws JsonProcessingException {
        Map<String, String> row = new TreeMap<>();
        JsonNode object = JSON.readTree(line);
        object.fieldNames().forEachRemaining(name -> row.put(name, object.get(name).asText()));
        return row;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
