package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without the libraries of others all goes well but their stores, which say what is missing. */
class MissingSdkIT {
    private static final String WITHOUT =
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(path -> !path.contains("awssdk") && !path.contains("hadoop-client"))
                    .collect(Collectors.joining(File.pathSeparator));

    @TempDir private Path folder;

    private Ran run(String... arguments) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder process = CliProcess.builder(arguments);
        List<String> command = process.command();
        command.set(command.indexOf("-cp") + 1, WITHOUT);
        int code =
                process.redirectOutput(out.toFile()).redirectError(err.toFile()).start().waitFor();
        return new Ran(code, Files.readString(out), Files.readString(err));
    }

    @Test
    void whatBringsThemIsNamed() throws Exception {
        String[] probe = {"probe", folder.toString()};
        assertThat(run(probe).succeeded().out()).contains("  yes  write datasets\n");

        assertThat(run("probe", "s3://bucket/a").refused(2))
                .contains("Cannot open a store of scheme 's3': class software.amazon.awssdk.")
                .endsWith(
                        " is missing; put software.amazon.awssdk:s3 and"
                                + " software.amazon.awssdk:apache5-client on the class path");

        assertThat(run("probe", "hdfs://namenode/a").refused(2))
                .contains("Cannot open a store of scheme 'hdfs': class org.apache.hadoop.")
                .endsWith(
                        " is missing; put org.apache.hadoop:hadoop-client-api and"
                                + " org.apache.hadoop:hadoop-client-runtime on the class path");
    }
}
