package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The questions of {@code spark-examples}, asked of a stock Spark. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SparkIT {
    private static final String CATALOG = "org.apache.iceberg.spark.SparkCatalog";
    private static final Pattern AT = Pattern.compile("http://[0-9.]+:[0-9]+");

    @TempDir private Path folder;

    @Test
    void answersAsTheLogDoesAlsoAfterStockMaintenance() throws Exception {
        Path warehouse = folder.resolve("warehouse");
        TrainedView view = new TrainedView(warehouse.toString(), folder);
        try (CliProcess server =
                CliProcess.start(folder, Cli.at(warehouse.toString(), "serve", "--port", "0"))) {
            Map<String, String> settings = settings(warehouse, server);
            try (Spark spark = Spark.start(folder, settings)) {
                spark.ask("USE folder");
                view.assertToldBy(spark, "spark");
                spark.ask("USE served");
                view.assertToldBy(spark, "spark");

                spark.ask(
                        "CALL served.system.expire_snapshots(table => 'demo.train_steps',"
                                + " older_than => TIMESTAMP '2999-01-01 00:00:00')");
                spark.ask(
                        "CALL served.system.rewrite_data_files(table => 'demo.train_steps',"
                                + " options => map('rewrite-all', 'true'))");
                view.ingest("more.txt", "p2", 50);
                view.run("fold", TrainedView.DATASET);
                assertEachStepOnce(spark, view.steps().size());
                losesNothingAsOrphans(spark, warehouse.resolve("demo"));
                refusesRowsThatWereChanged(spark, view, warehouse);
                assertEachStepOnce(spark, view.steps().size());
            }
            joinsATableOfSources(view, settings);
        }
    }

    private static void assertEachStepOnce(Spark spark, int steps) {
        assertThat(
                        spark.ask(
                                "SELECT count(*) AS rows, count(DISTINCT step) AS steps,"
                                        + " max(step) AS last FROM demo.train_steps"))
                .containsExactly(
                        new TreeMap<>(
                                Map.of(
                                        "rows", Integer.toString(steps),
                                        "steps", Integer.toString(steps),
                                        "last", Integer.toString(steps - 1))));
    }

    private static void losesNothingAsOrphans(Spark spark, Path namespace) throws IOException {
        for (String table : List.of("train_steps", "train_events")) {
            Path junk = Files.createFile(namespace.resolve(table).resolve("data/junk.parquet"));
            try (Stream<Path> files = Files.walk(namespace.resolve(table))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
                }
            }
            assertThat(
                            spark.ask(
                                    "CALL served.system.remove_orphan_files(table => 'demo."
                                            + table
                                            + "')"))
                    .singleElement()
                    .asString()
                    .contains(junk.getFileName().toString());
        }
    }

    private static void refusesRowsThatWereChanged(Spark spark, TrainedView view, Path warehouse) {
        spark.ask("UPDATE served.demo.train_steps SET producer = 'somebody' WHERE step = 3");

        assertThat(
                        Cli.runAlone(Cli.at(warehouse.toString(), "fold", TrainedView.DATASET))
                                .refused(2))
                .contains("changed rows", "fold --rebuild");

        view.run("fold", TrainedView.DATASET, "--rebuild");
        assertThat(spark.ask("SELECT step FROM demo.train_steps WHERE producer = 'somebody'"))
                .isEmpty();
    }

    private void joinsATableOfSources(TrainedView view, Map<String, String> settings)
            throws IOException, InterruptedException {
        Path sources =
                Files.writeString(
                        folder.resolve("sources.csv"),
                        "file,license\nweb.txt,CC-BY-4.0\nbooks.txt,CC0-1.0\n");
        Path answer = folder.resolve("licenses");

        Spark.run(
                folder,
                settings,
                "io.batchweave.examples.TokensByLicense",
                "folder.demo.train_steps",
                sources.toString(),
                answer.toString());

        assertThat(rows(answer))
                .containsExactly(
                        license(view, "CC-BY-4.0", "p0"),
                        license(view, "CC0-1.0", "p1"),
                        license(view, "unknown", "p2"));
    }

    private static Map<String, String> license(TrainedView view, String license, String producer) {
        long steps = view.steps().stream().filter(TrainedView.by(producer)).count();
        return Map.of(
                "license", license,
                "steps", Long.toString(steps),
                "tokens", TrainedView.tokens(view.steps(), TrainedView.by(producer)));
    }

    private static List<Map<String, String>> rows(Path answer) throws IOException {
        List<Map<String, String>> rows = new ArrayList<>();
        try (Stream<Path> files = Files.list(answer)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
                for (String line : Files.readAllLines(file)) {
                    rows.add(Spark.row(line));
                }
            }
        }
        return rows;
    }

    private static Map<String, String> settings(Path warehouse, CliProcess server) {
        return Map.of(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
                "spark.sql.catalog.folder",
                CATALOG,
                "spark.sql.catalog.folder.type",
                "hadoop",
                "spark.sql.catalog.folder.warehouse",
                warehouse.toString(),
                "spark.sql.catalog.folder.cache-enabled",
                "false",
                "spark.sql.catalog.served",
                CATALOG,
                "spark.sql.catalog.served.type",
                "rest",
                "spark.sql.catalog.served.uri",
                uri(server),
                "spark.sql.catalog.served.cache-enabled",
                "false");
    }

    /** Where it serves. */
    static String uri(CliProcess server) {
        server.await("address", () -> AT.matcher(server.out()).find());
        Matcher at = AT.matcher(server.out());
        assertThat(at.find()).isTrue();
        return at.group();
    }
}
