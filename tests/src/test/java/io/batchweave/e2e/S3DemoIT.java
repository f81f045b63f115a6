package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.s3.S3Proxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the README says of S3, typed by a test against the server that it names. */
@Timeout(300)
class S3DemoIT {
    private static final Path SETTINGS =
            Readme.ROOT.resolve("tests/servers/s3proxy/s3proxy.properties");

    @TempDir private Path folder;

    @Test
    void theProbeAndTheDemoGoAsTheReadmeSays() throws Exception {
        List<String> blocks = Readme.shell("On S3");
        assertThat(blocks).hasSize(2);
        try (S3Proxy server = S3Proxy.start(folder)) {
            String shipped = "http://127.0.0.1:8480";
            assertThat(Files.readString(SETTINGS)).contains("s3proxy.endpoint=" + shipped + "\n");
            assertThat(blocks.get(1)).contains("AWS_ENDPOINT_URL_S3=" + shipped + " ");

            Ran ran = type(blocks.get(1).replace(shipped, server.endpoint().toString()));

            assertThat(ran.succeeded().out())
                    .contains("  yes  write datasets\n", "created demo.text", "\nchecked:\n")
                    .doesNotContain("  NO ", "WRONG");
        }
        assertThat(folder.resolve("buckets/" + S3Proxy.BUCKET + "/warehouse/demo/text"))
                .doesNotExist();
    }

    @Test
    void theServerIsStartedAsTheTestsStartIt() throws Exception {
        assertThat(Readme.shell("On S3").get(0))
                .contains("mkdir -p /tmp/batchweave-s3/" + S3Proxy.BUCKET + "\n")
                .contains("-cp 'tests/servers/s3proxy/target/lib/*'")
                .contains("-Dlogback.configurationFile=tests/servers/s3proxy/logback.xml")
                .contains(
                        "org.gaul.s3proxy.Main --properties tests/servers/s3proxy/s3proxy.properties");
        assertThat(Files.readString(SETTINGS))
                .contains("jclouds.filesystem.basedir=/tmp/batchweave-s3\n");
    }

    private Ran type(String block) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        String command =
                CliProcess.builder().command().stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        ProcessBuilder bash =
                new ProcessBuilder("bash", "-ec", block.replace("./batchweave", command))
                        .directory(Readme.ROOT.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        bash.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        int code = bash.start().waitFor();
        return new Ran(code, Files.readString(out), Files.readString(err));
    }
}
