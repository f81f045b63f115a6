package io.batchweave.e2e;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Python of this build's own, with what {@code tests/requirements.txt} lists. */
record Python(Path executable) {
    private static final Path TESTS = Path.of(System.getProperty("repository.root"), "tests");
    private static final Path REQUIREMENTS = TESTS.resolve("requirements.txt");
    private static final Path LOG = TESTS.resolve("target/python.log");

    /** Makes it once, or skips the test where that cannot be done. */
    static Python installed() {
        Path home = TESTS.resolve("target/python");
        Path executable = home.resolve("bin/python");
        Path done = home.resolve("requirements.txt");
        if (!isSame(done, REQUIREMENTS)) {
            Require.that(
                    ran("python3", "-m", "venv", "--clear", home.toString()),
                    "Arrow streams are also read by Python; install Python 3.10 or newer with venv");
            Require.that(
                    ran(
                            executable.toString(),
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                            "--requirement",
                            REQUIREMENTS.toString()),
                    "Arrow streams are also read by pyarrow, which pip could not install; see"
                            + " tests/target/python.log, and let it reach a package index");
            copy(REQUIREMENTS, done);
        }
        return new Python(executable);
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.exists(one) && Files.mismatch(one, other) == -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ran(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(LOG.toFile()))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no such command.
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
