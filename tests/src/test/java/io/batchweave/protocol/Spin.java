package io.batchweave.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Searches a model: SPIN makes a program of it, the C compiler compiles that, and it is run.
 *
 * @param model the file that includes the others, which lie beside it
 */
record Spin(Path model) {
    private static final String WHY =
            "the protocol model is searched by SPIN and compiled by gcc; install both (Debian:"
                    + " apt-get install spin gcc; Homebrew: brew install spin)";

    /** Skips the test where a tool is missing. */
    static void require() {
        Require.that(isThere("spin", "-V"), WHY);
        Require.that(isThere("gcc", "--version"), WHY);
    }

    /**
     * Looks at every state that can be reached, or stops at the first assertion that fails.
     *
     * @param work a new folder, in which everything is left that was made
     * @param options of the compiler: {@code -O1} pays where much is searched; {@code -DBFS} looks
     *     at what is near first, and takes more memory
     * @param definitions of the preprocessor, which choose what is searched
     */
    Search search(Path work, List<String> options, List<String> definitions) {
        List<String> making = new ArrayList<>(List.of("spin", "-o3", "-a"));
        definitions.forEach(definition -> making.add("-D" + definition));
        making.add(model.toAbsolutePath().toString());
        run(work, making);
        List<String> compiling = new ArrayList<>(List.of("gcc", "-w", "-DSAFETY", "-DNOREDUCE"));
        compiling.addAll(options);
        compiling.addAll(List.of("-o", "pan", "pan.c"));
        run(work, compiling);
        List<String> statements = run(work, List.of("./pan", "-d"));
        return new Search(statements, run(work, List.of("./pan", "-E", "-b", "-m100000")));
    }

    /** What a command printed; it must not fail. */
    private static List<String> run(Path work, List<String> command) {
        Path printed = work.resolve("printed.txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(work.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(printed.toFile())
                            .start();
            int code = process.waitFor();
            String text = Files.readString(printed);
            assertThat(code).as("%s in %s: %s", command, work, text).isZero();
            return text.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What all files of the model say. */
    String text() {
        StringBuilder all = new StringBuilder();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(model.getParent(), "*.pml")) {
            for (Path file : files) {
                all.append(Files.readString(file));
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isThere(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            // There is no such command.
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
