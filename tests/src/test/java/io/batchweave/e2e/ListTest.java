package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which datasets a warehouse holds. */
class ListTest {
    @TempDir private Path folder;
    private Path warehouse;
    private Cli cli;

    @BeforeEach
    void prepare() {
        warehouse = folder.resolve("warehouse");
        cli = new Cli(warehouse);
        cli.create("b.y", "dp=2");
        cli.create("a.z", "dp=4");
        cli.create("a.x", "dp=2");
        cli.run("attach", "a.x", "llm").succeeded();
    }

    @Test
    void everyDatasetIsTold() {
        assertThat(cli.run("list").succeeded().out())
                .isEqualTo(
                        """
                        a.x  open  grid dp=2  0 steps  0 rows  0 bytes  1 job
                        a.z  open  grid dp=4  0 steps  0 rows  0 bytes  0 jobs
                        b.y  open  grid dp=2  0 steps  0 rows  0 bytes  0 jobs
                        """);
        assertThat(cli.run("list", "b").succeeded().out()).startsWith("b.y  ").hasLineCount(1);
        assertThat(cli.run("list", "none").succeeded().out()).isEmpty();
        assertThat(cli.run("list", "../a").refused(2)).contains("'../a'");
    }

    @Test
    void whatIsNoDatasetIsPassedOver() throws IOException {
        Files.createDirectories(warehouse.resolve("a/x_steps/metadata"));
        Files.createDirectories(warehouse.resolve("a/notes"));
        Files.writeString(warehouse.resolve("a/readme.txt"), "text");

        assertThat(cli.run("list", "a", "--json").succeeded().json())
                .extracting(line -> line.get("dataset").asText())
                .containsExactly("a.x", "a.z");
    }

    @Test
    void oneThatIsDamagedDoesNotHideTheOthers() throws IOException {
        Path first = warehouse.resolve("a/x/log/00000000000000000000/00000000000000000000");
        Files.write(first, new byte[10]);

        Ran ran = cli.run("list");

        assertThat(ran.code()).isEqualTo(5);
        assertThat(ran.out()).contains("a.x  Cannot read ", "a.z  open", "b.y  open");
    }
}
