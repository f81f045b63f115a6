package io.batchweave.cli.ingest;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * One file to read.
 *
 * @param path where it is now
 * @param name what progress calls it: its path below the argument that named it, with '/' between
 *     the parts
 */
public record Input(Path path, String name) {

    /** What its name's ending says of its content. */
    InputKind kind() {
        return InputKind.of(name);
    }

    /** The failure to read {@code path}, as the user needs to hear it. */
    public static BatchWeaveException unreadable(Path path, IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return new InvalidRequestException(
                    "Cannot read " + path + ": there is no such file; check the path", failure);
        }
        if (failure instanceof AccessDeniedException) {
            return new InvalidRequestException(
                    "Cannot read " + path + ": permission is denied; make it readable", failure);
        }
        return new UnavailableException(
                "Cannot read " + path + ": " + failure.getMessage() + "; try again", failure);
    }
}
