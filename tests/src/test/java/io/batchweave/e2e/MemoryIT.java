package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.testing.Require;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a process takes does not grow with what it is given: a GiB is enough for any input and any
 * batch.
 */
class MemoryIT {
    private static final long MOST_KIB = 1 << 20;

    /** MB of text; {@code -Dbatchweave.test.ingest.mb=2000} asks for more. */
    private static final int INGEST_MB = Integer.getInteger("batchweave.test.ingest.mb", 200);

    private static final int SECONDS_MAX = 120 + 2 * INGEST_MB;
    private static final List<String> WORDS =
            List.of("what", "a", "process", "takes", "does", "not", "grow", "with", "its", "input");

    private static final Pattern LAUNCHER_FLAGS = Pattern.compile("JVM_FLAGS=\"([^\"]+)\"");

    @TempDir private Path folder;
    private Path figure;
    private Cli cli;

    @BeforeEach
    void prepare() {
        Memory.require();
        figure = folder.resolve("memory");
        cli = new Cli(folder.resolve("warehouse"));
    }

    @Test
    void aLongTextIsIngestedInAGibibyte() throws Exception {
        Path text = text(INGEST_MB);
        cli.create("t.x", "dp=8");
        String warehouse = cli.warehouse().toString();

        try (CliProcess ingest =
                CliProcess.start(
                        folder,
                        launcherFlags(),
                        MeasuredMain.class.getName(),
                        Cli.joined(
                                new String[] {figure.toString()},
                                Cli.at(
                                        warehouse,
                                        "ingest",
                                        "t.x",
                                        text.toString(),
                                        "--producer",
                                        "p0")))) {
            ingest.end(SECONDS_MAX).succeeded();
        }

        System.out.println("ingest of " + INGEST_MB + " MB: " + Memory.mostKib(figure) + " KiB");
        assertThat(cli.status("t.x").at("/counts/tokens").asLong())
                .isGreaterThan(INGEST_MB * 100_000L);
        assertThat(Memory.mostKib(figure)).isLessThanOrEqualTo(MOST_KIB);
    }

    @Test
    void aBatchOfFourGibibytesIsPublishedInOne() throws Exception {
        Require.that(
                folder.toFile().getUsableSpace() > 10L << 30,
                "a batch of 4 GiB is published to a disk with 10 GiB free; make room in "
                        + System.getProperty("java.io.tmpdir"));
        cli.create("t.x", "dp=8");
        String warehouse = cli.warehouse().toString();

        try (CliProcess publish =
                CliProcess.start(
                        folder,
                        launcherFlags(),
                        LargeBatchMain.class.getName(),
                        figure.toString(),
                        warehouse,
                        "t.x")) {
            publish.end(SECONDS_MAX).succeeded();
        }

        System.out.println("publishing 4 GiB: " + Memory.mostKib(figure) + " KiB");
        assertThat(cli.status("t.x").get("bytes").asLong())
                .isGreaterThan(8 * LargeBatchMain.SLICE_BYTES);
        assertThat(Memory.mostKib(figure)).isLessThanOrEqualTo(MOST_KIB);
    }

    private static List<String> launcherFlags() throws IOException {
        Path launcher = Path.of(System.getProperty("repository.root"), "batchweave");
        Matcher flags = LAUNCHER_FLAGS.matcher(Files.readString(launcher));
        assertThat(flags.find()).isTrue();
        return List.of(flags.group(1).split(" "));
    }

    /** One document of words and numbers, in lines. */
    private Path text(int megabytes) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder block = new StringBuilder();
        while (block.length() < 1_000_000) {
            block.append(WORDS.get(random.nextInt(WORDS.size())));
            block.append(random.nextInt(12) == 0 ? ". " + random.nextInt(1000) + "\n" : " ");
        }
        Path text = folder.resolve("long.txt");
        try (BufferedWriter out = Files.newBufferedWriter(text)) {
            for (int written = 0; written < megabytes; written++) {
                out.append(block, 0, 1_000_000);
            }
        }
        return text;
    }
}
