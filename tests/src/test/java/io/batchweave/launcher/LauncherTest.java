package io.batchweave.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.launcher.Checkout.Run;
import io.batchweave.testing.Require;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    private static final String BUILDING =
            "Building BatchWeave (first run downloads its libraries; target/launcher.log tells how far it is)...";

    @TempDir private Path folder;
    private Checkout checkout;

    @BeforeEach
    void checkOut() throws Exception {
        checkout = Checkout.in(folder.toRealPath());
    }

    @Test
    void firstRunBuildsAndThenBecomesTheCommand() throws Exception {
        Run run = checkout.run("read", "two words");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEqualTo(BUILDING);
        assertThat(run.out())
                .contains("--add-opens=java.base/java.nio=ALL-UNNAMED")
                .endsWith("/cli/target/lib/* io.batchweave.cli.Main read two words");
    }

    @Test
    void hadoopsSettingsComeFirstAndConnectorsLast() throws Exception {
        Map<String, String> hadoop =
                Map.of("HADOOP_CONF_DIR", "/etc/hadoop", "HADOOP_CLASSPATH", "/opt/azure.jar");

        Process process = checkout.start(checkout.file("batchweave"), folder, hadoop, "status");
        assertThat(Checkout.finish(process).out())
                .contains(" -cp /etc/hadoop:/")
                .endsWith("/cli/target/lib/*:/opt/azure.jar io.batchweave.cli.Main status");
    }

    @Test
    void secondRunBuildsNothing() throws Exception {
        checkout.run();

        assertThat(checkout.run().err()).isEmpty();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void editedSourceIsBuilt() throws Exception {
        checkout.run();
        checkout.edit("cli/src/main/Main.java", "second");

        assertThat(checkout.run().err()).isEqualTo(BUILDING);
        assertThat(checkout.file("cli/target/batchweave-cli-1.jar")).hasContent("second");
    }

    @Test
    void addedSourceIsBuilt() throws Exception {
        checkout.run();
        checkout.edit("cli/src/main/Other.java", "more");

        assertThat(checkout.run().err()).isEqualTo(BUILDING);
    }

    @Test
    void sourcesThatOnlyLookNewAreNotBuilt() throws Exception {
        checkout.run();
        checkout.touchSources();

        assertThat(checkout.run().err()).isEmpty();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void jarThatSomebodyElseBuiltIsNotTakenForOurs() throws Exception {
        checkout.run();
        Files.writeString(checkout.file("cli/target/batchweave-cli-1.jar"), "of other sources");
        checkout.touchSources();

        assertThat(checkout.run().err()).isEqualTo(BUILDING);
    }

    @Test
    void librariesOfAnOlderBuildDoNotStay() throws Exception {
        checkout.run();
        Path old = Files.writeString(checkout.file("cli/target/lib/library-0.9.jar"), "old");
        checkout.edit("pom.xml", "<project>library 1.0</project>");
        checkout.run();

        assertThat(old).doesNotExist();
    }

    @Test
    void failedBuildShowsWhyAndIsTriedAgain() throws Exception {
        checkout.edit("cli/src/main/Main.java", "nonsense");
        Run run = checkout.run();

        assertThat(run.code()).isEqualTo(70);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("[ERROR] nonsense")
                .endsWith("Cannot start batchweave: the build failed with the errors above");
        assertThat(checkout.run().err()).startsWith(BUILDING);
    }

    @Test
    void twoFirstRunsBuildOnce() throws Exception {
        Require.that(
                checkout.has("flock"),
                "without flock two first runs may build at once; install util-linux");
        Process one = checkout.start(checkout.file("batchweave"), folder, Map.of());
        Process two = checkout.start(checkout.file("batchweave"), folder, Map.of());

        assertThat(Checkout.finish(one).code()).isZero();
        assertThat(Checkout.finish(two).code()).isZero();
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void builtFilesAreEnough() throws Exception {
        checkout.run();
        Files.delete(checkout.file("pom.xml"));
        Files.delete(checkout.file("cli/src/main/Main.java"));
        Files.delete(checkout.file("cli/src/main"));
        checkout.remove("mvn");

        assertThat(checkout.run("read").out()).endsWith("io.batchweave.cli.Main read");
    }

    @Test
    void worksThroughLinksAndInTheCallersFolder() throws Exception {
        Path elsewhere = Files.createDirectory(folder.toRealPath().resolve("elsewhere"));
        Files.createSymbolicLink(
                elsewhere.resolve("first"), Path.of("..", "a checkout", "batchweave"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("second"), Path.of("first"));
        Run run = Checkout.finish(checkout.start(link, elsewhere, Map.of(), "read"));

        assertThat(run.out())
                .startsWith(elsewhere + " ")
                .contains(checkout.file("cli/target/batchweave-cli-1.jar").toString());
    }

    @Test
    void ownFlagsTakeThePlaceOfOurs() throws Exception {
        Map<String, String> flags = Map.of("BATCHWEAVE_JAVA_OPTS", "-XX:+UseZGC -Xmx4g");
        Path launcher = checkout.file("batchweave");

        assertThat(Checkout.finish(checkout.start(launcher, folder, Map.of())).out())
                .contains(" -XX:+UseSerialGC -Xmx512m -D");
        assertThat(Checkout.finish(checkout.start(launcher, folder, flags)).out())
                .contains("ALL-UNNAMED -XX:+UseZGC -Xmx4g -D");
    }
}
