package io.batchweave.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Real files of others, which are not part of the project. */
public final class TestData {
    private TestData() {}

    /**
     * A file or folder of them; skips the test where there is none.
     *
     * @param why what it is and what the test does with it
     */
    public static Path at(String name, String why) {
        String set =
                System.getProperty("batchweave.test.data", System.getenv("BATCHWEAVE_TEST_DATA"));
        Path folder =
                set == null
                        ? Path.of(System.getProperty("repository.root", "."), "../shared/data")
                        : Path.of(set);
        Path data = folder.resolve(name).toAbsolutePath().normalize();
        Require.that(
                Files.exists(data),
                "there is no "
                        + data
                        + ": "
                        + why
                        + "; name the folder it is in by BATCHWEAVE_TEST_DATA");
        return data;
    }
}
