package io.batchweave.store.local;

import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, in words that can end a message. */
final class Why {
    private Why() {}

    /** What to throw, as a text that says what could not be done. */
    static UnavailableException failure(String what, IOException cause) {
        String text = what + ": " + of(cause);
        return isRefusal(cause)
                ? new NoAccessException(text, cause)
                : new UnavailableException(text, cause);
    }

    /** What stays so until somebody mends it. */
    private static boolean isRefusal(IOException cause) {
        return cause instanceof AccessDeniedException
                || cause instanceof Staging.Unfit
                || (cause instanceof FileSystemException failed
                        && "Read-only file system".equals(failed.getReason()));
    }

    static String of(IOException cause) {
        if (cause instanceof ClosedByInterruptException) {
            return "the thread was interrupted";
        }
        if (cause instanceof ClosedChannelException) {
            return "the store was closed meanwhile";
        }
        if (cause instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        if (cause instanceof AccessDeniedException denied) {
            return "permission denied for " + denied.getFile();
        }
        if (cause instanceof FileSystemException failed) {
            return (failed.getReason() == null ? name(cause) : failed.getReason())
                    + " ("
                    + failed.getFile()
                    + ")";
        }
        return cause.getMessage() == null ? name(cause) : cause.getMessage();
    }

    private static String name(IOException cause) {
        return cause.getClass().getSimpleName();
    }
}
