package io.batchweave.store.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;

/** A small file system in memory. Where this user may not mount one, the test is skipped. */
final class Mount implements AutoCloseable {
    private final Path folder;

    private Mount(Path folder) {
        this.folder = folder;
    }

    /** Mounts one with options such as {@code size=1m}. */
    static Mount of(Path folder, String options) throws Exception {
        boolean mounted = ran("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString());
        assumeTrue(mounted, "no permission to mount a file system");
        return new Mount(folder);
    }

    void makeReadOnly() throws Exception {
        if (!ran("mount", "-o", "remount,ro", folder.toString())) {
            throw new IOException("cannot remount " + folder);
        }
    }

    @Override
    public void close() throws Exception {
        if (!ran("umount", folder.toString())) {
            throw new IOException("cannot unmount " + folder);
        }
    }

    private static boolean ran(String... command) throws InterruptedException {
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
        }
    }
}
