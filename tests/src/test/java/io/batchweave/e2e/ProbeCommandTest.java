package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.store.s3.FakeS3;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the probe tells of stores, and that nothing is written to those that would lose it. */
class ProbeCommandTest {
    private static final List<String> CHECKS =
            List.of("create", "upload", "create_race", "upload_race", "read", "list", "delete");

    @TempDir private Path folder;

    private static AwsSettings settings(FakeS3 server) {
        return AwsSettings.of(server.endpoint(), "some-key", "hush-hush");
    }

    @Test
    void aLocalFolderIsFit() {
        Ran ran = Cli.runAlone("probe", folder.toString());

        assertThat(ran.succeeded().out())
                .startsWith(folder.toUri().toString())
                .contains("  yes  of creates of one key at the same time, one is done\n")
                .endsWith(
                        """
                        BatchWeave can:
                          yes  read datasets
                          yes  write datasets
                          yes  delete what is no longer needed
                        """);
        assertThat(folder.resolve("probe")).doesNotExist();
    }

    @Test
    void programsGetOneObject() {
        List<JsonNode> objects =
                Cli.runAlone("probe", folder.toString(), "--json").succeeded().json();

        assertThat(objects).hasSize(1);
        JsonNode report = objects.get(0);
        assertThat(fields(report)).containsExactly("store", "checks", "details", "can");
        assertThat(fields(report.get("checks"))).isEqualTo(CHECKS);
        assertThat(fields(report.get("details"))).isEqualTo(CHECKS);
        assertThat(fields(report.get("can"))).containsExactly("read", "write", "sweep");
        assertThat(report.get("can")).allMatch(JsonNode::asBoolean);
    }

    private static List<String> fields(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    @Tag("STORE-3")
    void aServerThatIgnoresConditionsIsRefused() {
        try (FakeS3 server = FakeS3.startIgnoringConditions();
                AwsSettings unused = settings(server)) {
            Ran probe = Cli.runAlone("probe", "s3://training/warehouse");
            assertThat(probe.code()).isEqualTo(1);
            assertThat(probe.out())
                    .startsWith("s3://training/warehouse/\n")
                    .contains("  NO   a create of a key that exists is refused\n")
                    .contains("  yes  read datasets\n", "  NO   write datasets\n");

            Ran create =
                    Cli.runAlone(
                            Cli.at("s3://training", "create", "t.x", "--tokens", "--grid", "dp=2"));
            assertThat(create.refused(2))
                    .contains("the store breaks a promise without which data is lost silently");
        }
    }

    @Test
    void whatCannotBeProbedIsSaidInOneLine() {
        try (FakeS3 server = FakeS3.start();
                AwsSettings unused = settings(server)) {
            assertThat(Cli.runAlone("probe", "s3://missing/a").refused(2))
                    .contains("there is no such bucket")
                    .doesNotContain("hush");
        }
        assertThat(Cli.runAlone("probe", folder.resolve("none").toString()).refused(3))
                .contains("its root folder does not exist; create it, or mount it");
    }
}
