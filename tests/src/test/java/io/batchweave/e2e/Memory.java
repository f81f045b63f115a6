package io.batchweave.e2e;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The most memory that a process ever had, heap and everything else, as Linux counts it. */
final class Memory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private Memory() {}

    static void require() {
        Require.that(
                Files.exists(STATUS),
                "a process's memory is read from " + STATUS + ", which only Linux has");
    }

    /** When this process ends, writes the figure to {@code file}. */
    static void tellAtExit(Path file) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file)));
    }

    private static void write(Path file) {
        try (var lines = Files.lines(STATUS)) {
            Files.writeString(
                    file,
                    lines.filter(line -> line.startsWith("VmHWM:")).findFirst().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What such a process wrote, in KiB. */
    static long mostKib(Path file) throws IOException {
        return Long.parseLong(Files.readString(file).replaceAll("\\D", ""));
    }
}
