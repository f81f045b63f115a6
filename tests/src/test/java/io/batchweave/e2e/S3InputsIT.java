package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.s3.S3Proxy;
import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.s3.S3Settings;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inputs on a real S3 server: what is ingested is what is ingested of the same files on a disk. */
@Timeout(300)
class S3InputsIT {
    private static final String BUCKET = "s3://" + S3Proxy.BUCKET;
    private static final String SCHEMA = "id:long!,text:string";

    private static final String WRITE =
            """
            import gzip, json, os, sys
            import pyarrow as pa, pyarrow.parquet as pq
            def text(n): return "row %d " % n * (n % 50)
            os.makedirs(sys.argv[1] + "/corpus/lines")
            for part in range(3):
                ids = range(part * 2000, part * 2000 + 2000)
                table = pa.table({"id": ids, "unwanted": [os.urandom(100)] * 2000, "text": [text(n) for n in ids]})
                pq.write_table(table, sys.argv[1] + "/corpus/part-%d.parquet" % part, row_group_size=700)
            with gzip.open(sys.argv[1] + "/corpus/lines/a.jsonl.gz", "wt") as out:
                for n in range(6000, 9000):
                    print(json.dumps({"id": n, "text": text(n)}), file=out)
            """;

    @TempDir private Path folder;
    private Path files;
    private Cli cli;
    private S3Proxy server;
    private Map<String, String> environment;

    @BeforeEach
    void uploadInputs() throws Exception {
        files = Files.createDirectory(folder.resolve("files"));
        assertThat(
                        new ProcessBuilder(
                                        Python.installed().executable().toString(),
                                        "-c",
                                        WRITE,
                                        files.toString())
                                .inheritIO()
                                .start()
                                .waitFor())
                .isZero();
        cli = new Cli(folder.resolve("warehouse"));
        server = S3Proxy.start(folder);
        environment = new HashMap<>(server.environment());
        try (ObjectStore store =
                        server.access().open(BUCKET + "/", World.real(), S3Settings.DEFAULT);
                Stream<Path> found = Files.walk(files)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                assertThat(
                                store.create(
                                        files.relativize(file).toString(),
                                        ByteBuffer.wrap(Files.readAllBytes(file))))
                        .isInstanceOf(Creation.Done.class);
            }
        }
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void inputsOnS3GiveTheDigestsOfThoseOnADisk() throws Exception {
        assertSame("given");
        assertSame("shuffled", "--shuffle", "7", "--shuffle-window", "1000", "--epochs", "2");
    }

    private void assertSame(String name, String... order) throws Exception {
        create("local." + name);
        create("stored." + name);
        cli.run(ingest("local." + name, files + "/", order)).succeeded();
        assertThat(run(ingest("stored." + name, BUCKET + "/", order)).succeeded().out())
                .contains(order.length == 0 ? "with 9000 rows" : "with 18000 rows");

        assertThat(cli.digests("stored." + name))
                .isEqualTo(cli.digests("local." + name))
                .isNotEmpty();
        for (String step : List.of("0", "21")) {
            String[] explain = {"explain", "stored." + name, "--step", step, "--json"};
            for (JsonNode range : cli.run(explain).succeeded().json()) {
                assertThat(range.get("input").asText()).startsWith(BUCKET + "/corpus/");
            }
            String[] rows = {"explain", "stored." + name, "--step", step, "--rows"};
            assertThat(run(rows).succeeded().out())
                    .isEqualTo(
                            cli.run("explain", "local." + name, "--step", step, "--rows")
                                    .succeeded()
                                    .out())
                    .hasLineCount(400);
        }
    }

    @Test
    void whatCannotBeReadIsToldInOneLineAndNothingIsPublished() throws Exception {
        create("t.none");

        assertThat(run(ingest("t.none", "gopher://host/")).refused(2))
                .contains("Cannot open a store of scheme 'gopher': nothing here opens it");
        assertThat(run(ingest("t.none", BUCKET + "/missing/")).refused(2))
                .contains(BUCKET + "/missing/corpus/part-*.parquet': nothing matches");
        assertThat(run(ingest("t.none", BUCKET + "/", BUCKET + "/no.parquet")).refused(2))
                .contains("Cannot ingest " + BUCKET + "/no.parquet: there is no such file");
        assertThat(run(ingest("t.none", "s3://absent/")).refused(2))
                .contains("Cannot list corpus in s3://absent/: there is no such bucket");
        environment.put("AWS_SECRET_ACCESS_KEY", "another-secret");
        assertThat(run(ingest("t.none", BUCKET + "/")).refused(2))
                .contains("Cannot list corpus in " + BUCKET + "/: the secret key does not fit")
                .doesNotContain("another-secret");

        assertThat(cli.status("t.none").get("steps").asLong()).isZero();
        assertThat(cli.status("t.none").get("producers")).isEmpty();
    }

    private void create(String dataset) {
        cli.run("create", dataset, "--grid", "dp=4", "--schema", SCHEMA).succeeded();
    }

    private static String[] ingest(String dataset, String root, String... order) {
        String[] ingest = {
            "ingest",
            dataset,
            root + "corpus/part-*.parquet",
            root + "corpus/lines",
            "--producer",
            "p",
            "--rows-per-slice",
            "100",
            "--seal"
        };
        return Cli.joined(ingest, order);
    }

    /** In a process that knows the server. */
    private Ran run(String... arguments) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder command =
                CliProcess.builder(Cli.at(cli.warehouse().toString(), arguments))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        command.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        command.environment().putAll(environment);
        int code = command.start().waitFor();
        return new Ran(code, Files.readString(out), Files.readString(err));
    }
}
