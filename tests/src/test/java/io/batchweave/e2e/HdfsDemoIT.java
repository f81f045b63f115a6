package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.hdfs.MiniDfs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command on a real HDFS. */
@Timeout(300)
class HdfsDemoIT {
    @TempDir private Path folder;

    @Test
    void theProbeAndTheDemoGoAsOnALocalDisk() throws Exception {
        try (MiniDfs server = MiniDfs.start(folder)) {
            String warehouse = server.uri() + "/warehouse";
            Ran probe = run("probe", warehouse).succeeded();
            assertThat(probe.out()).contains("  yes  write datasets\n").doesNotContain("  NO ");
            assertThat(probe.err()).isEmpty();

            Ran demo = run("demo", "--warehouse", warehouse).succeeded();
            assertThat(demo.out())
                    .contains("created demo.text", "\nchecked:\n")
                    .doesNotContain("WRONG");
            assertThat(demo.err()).isEmpty();
        }
    }

    @Test
    void whereNobodyAnswersOneLineSaysSo() throws Exception {
        assertThat(run("status", "demo.text", "--warehouse", "hdfs://nobody.invalid/w").err())
                .contains("Cannot open hdfs://nobody.invalid/w: its host is unknown")
                .hasLineCount(1);
    }

    private Ran run(String... arguments) throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        int code =
                CliProcess.builder(arguments)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start()
                        .waitFor();
        return new Ran(code, Files.readString(out), Files.readString(err));
    }
}
