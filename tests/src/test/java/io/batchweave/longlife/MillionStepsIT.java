package io.batchweave.longlife;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A dataset of a million steps is opened, published to, looked into and swept as if it were new, by
 * a process of 256 MiB, which has made it too. {@code -Dsteps=N} makes another number.
 */
class MillionStepsIT {
    private static final long STEPS = Long.getLong("steps", 1_000_000);
    private static final long STEPS_OF_FEW = 10_000;
    private static final long MINUTES_MAX = 30;
    private static final long MIB = 1 << 20;

    private static Map<String, Long> figures;

    @BeforeAll
    static void measure(@TempDir Path folder) throws Exception {
        Path warehouse = Files.createDirectory(folder.resolve("warehouse"));
        Path out = folder.resolve("out");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                                "-Xmx256m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                MillionSteps.class.getName(),
                                warehouse.toString(),
                                Long.toString(STEPS_OF_FEW),
                                Long.toString(STEPS))
                        .redirectOutput(out.toFile())
                        .redirectErrorStream(true)
                        .start();
        try {
            assertThat(process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(process.exitValue()).as("%s", lines).isZero();
        System.out.println(STEPS + " steps: " + String.join(", ", lines));
        figures =
                lines.stream()
                        .filter(line -> line.matches("[a-z_.]+ \\d+"))
                        .map(line -> line.split(" "))
                        .collect(Collectors.toMap(line -> line[0], line -> Long.valueOf(line[1])));
    }

    private static long figure(String name) {
        return figures.get(name);
    }

    @Test
    @Tag("LOG-11")
    void openingTakesAFewRequestsAndOneForEachCommitBehindTheNewestState() {
        assertThat(figure("many.open.requests"))
                .isEqualTo(6 + figure("many.open.commits_behind"))
                .isLessThanOrEqualTo(8);
        assertThat(figure("many.open.bytes")).isLessThanOrEqualTo(8 * MIB);
    }

    /**
     * Who was to save the newest State was killed, and the next one is not due yet; after a run of
     * commits it is looked for one once or twice.
     */
    @Test
    @Tag("LOG-11")
    void afterACrashThereAreFewCommitsMore() {
        long behind = figure("many.crashed.commits_behind");
        assertThat(figure("many.crashed.requests")).isBetween(6 + behind, 8 + behind);
        assertThat(behind).isLessThan(32);
        assertThat(figure("many.crashed.bytes")).isLessThanOrEqualTo(8 * MIB);
    }

    @Test
    void publishingCostsWhatItCostAtStepZero() {
        assertThat(figure("many.publish.requests")).isEqualTo(figure("none.publish.requests"));
        assertThat(figure("many.publish.bytes") - figure("none.publish.bytes"))
                .isBetween(-64L, 64L);
        assertThat(figure("many.save.bytes") - figure("many.publish.bytes")).isLessThan(4 * MIB);
    }

    @Test
    void anOldStepIsOneRequestAway() {
        assertThat(figure("many.look_up.requests")).isEqualTo(1);
        assertThat(figure("many.look_up.bytes")).isLessThan(MIB);
    }

    @Test
    @Tag("SWEEP-4")
    void sweepingTheSameTakesTheSameRequests() {
        assertThat(Stream.of("steps", "left", "creates", "reads", "lists", "deletes"))
                .allSatisfy(
                        kind ->
                                assertThat(figure("many.sweep." + kind))
                                        .as(kind)
                                        .isEqualTo(figure("few.sweep." + kind)));
        assertThat(figure("many.sweep.steps")).isPositive();
        assertThat(figure("many.sweep.left")).isPositive();
    }
}
