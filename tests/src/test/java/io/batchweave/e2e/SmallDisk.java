package io.batchweave.e2e;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of a few KiB, in memory. Where this user may not mount one, the test is skipped. */
record SmallDisk(Path folder) implements AutoCloseable {

    /** Mounts a new one of a size such as {@code 1m}, in a new folder. */
    static SmallDisk of(Path folder, String size) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Require.that(
                ran("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()),
                "a full or read-only disk is a small tmpfs, which only root can mount; run as root");
        return new SmallDisk(folder);
    }

    /** Mounts it again with options such as {@code size=2m}, {@code ro} or {@code rw}. */
    void remount(String option) {
        if (!ran("mount", "-o", "remount," + option, folder.toString())) {
            throw new AssertionError("cannot remount " + folder + " with " + option);
        }
    }

    @Override
    public void close() {
        if (!ran("umount", folder.toString())) {
            throw new AssertionError("cannot unmount " + folder);
        }
    }

    private static boolean ran(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
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
