package io.batchweave.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Looks for inputs that no reader expects, for {@code -Dfuzz.seconds} a target. An input that finds
 * something goes into the target's corpus, once what it found is mended.
 */
class FuzzIT {
    private static final long SECONDS = Long.getLong("fuzz.seconds", 10);
    private static final String FUZZER = "com.code_intelligence.jazzer.Jazzer";

    @TempDir private Path folder;

    @ParameterizedTest
    @MethodSource("io.batchweave.fuzz.Target#all")
    void nothingIsFound(Target target) throws Exception {
        Path found = Files.createDirectory(folder.resolve("found"));
        Path seeds = Files.createDirectory(folder.resolve("seeds"));
        List<byte[]> inputs = target.seeds().get();
        for (int i = 0; i < inputs.size(); i++) {
            Files.write(seeds.resolve("seed" + i), inputs.get(i));
        }
        Path printed = folder.resolve("printed");

        int exit = fuzz(target, printed, found, seeds);

        String text = Files.readString(printed, UTF_8);
        assertThat(exit).as(text).isZero();
        assertThat(text).as("inputs were run").containsPattern("DONE|Done \\d+ runs");
    }

    private int fuzz(Target target, Path printed, Path found, Path seeds)
            throws IOException, InterruptedException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx1g",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-Drepository.root=" + System.getProperty("repository.root"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FUZZER,
                        "--target_class=" + target.type().getName(),
                        "--instrumentation_includes=io.batchweave.**:org.apache.avro.**",
                        "--reproducer_path=" + folder,
                        "-max_total_time=" + SECONDS,
                        "-artifact_prefix=" + artifacts(target),
                        "-print_final_stats=1",
                        found.toString(),
                        seeds.toString(),
                        target.corpusFolder().toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start()
                .waitFor();
    }

    /** Where an input that found something stays when the test is over. */
    private static Path artifacts(Target target) throws IOException {
        Path kept =
                Path.of(System.getProperty("repository.root"), "tests/target/fuzz")
                        .resolve(target.name());
        return Files.createDirectories(kept).resolve("found-");
    }
}
