package io.batchweave.sidecar.arena;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What went wrong with a file of the sidecar, in words that can go on a message. */
public final class Why {
    private Why() {}

    /** Such as {@code /dev/shm does not exist}. */
    public static String of(IOException cause) {
        if (cause instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        if (cause instanceof AccessDeniedException denied) {
            return "permission denied for " + denied.getFile();
        }
        if (cause instanceof FileAlreadyExistsException there) {
            return there.getFile() + " exists already";
        }
        if (cause instanceof NotDirectoryException file) {
            return file.getFile() + " is no folder";
        }
        if (cause instanceof FileSystemException failed) {
            return (failed.getReason() == null ? "the system refuses" : failed.getReason())
                    + " ("
                    + failed.getFile()
                    + ")";
        }
        return cause.getMessage() == null ? "the system refuses" : cause.getMessage();
    }
}
