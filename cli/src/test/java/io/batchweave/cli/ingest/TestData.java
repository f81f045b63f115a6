package io.batchweave.cli.ingest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/** Real data, which is not part of the project. */
final class TestData {
    private TestData() {}

    /** A file of it; skips the test where there is none. */
    static Path file(String name) {
        Path file = folder().resolve(name);
        assumeTrue(Files.exists(file), () -> "There is no " + file);
        return file;
    }

    private static Path folder() {
        String set =
                System.getProperty("batchweave.test.data", System.getenv("BATCHWEAVE_TEST_DATA"));
        return set == null
                ? Path.of(System.getProperty("repository.root", "."), "../shared/data")
                : Path.of(set);
    }
}
