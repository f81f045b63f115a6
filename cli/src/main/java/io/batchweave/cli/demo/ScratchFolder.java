package io.batchweave.cli.demo;

import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new folder among the system's temporary ones, which goes with all that is in it. */
public record ScratchFolder(Path path) implements AutoCloseable {

    /**
     * Makes one.
     *
     * @throws UnavailableException if there is no room or permission for it
     */
    public static ScratchFolder make() {
        try {
            return new ScratchFolder(Files.createTempDirectory("batchweave-demo-"));
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot make a temporary folder in "
                            + System.getProperty("java.io.tmpdir")
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        try {
            for (Path each : contentFirst()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UnavailableException("Cannot delete " + path + ": " + e.getMessage(), e);
        }
    }

    private List<Path> contentFirst() throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
