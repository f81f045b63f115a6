package io.batchweave.cli.files;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A place in a tree of folders, where a file is, a folder, or nothing. As text it is what people
 * call it. Whatever a store is asked may be an {@link UnavailableException}.
 */
public sealed interface Location permits LocalFile, StoredFile {
    /** Whether a folder is here. */
    boolean isFolder();

    /** Whether a file is here that can be read again and again. */
    boolean isFile();

    /** Whether anything is here. */
    boolean exists();

    /**
     * The files and folders in this folder whose names do not begin with a dot, in no order.
     *
     * @throws BatchWeaveException if it cannot be read
     */
    List<Location> visibleEntries();

    /** The place of this name in this folder. */
    Location below(String name);

    /** The last part of its path. */
    String name();

    /** Its path below a folder that it is in, with '/' between the parts. */
    String pathBelow(Location folder);

    /** Its absolute path or its URI: what finds it again from anywhere. */
    String origin();

    /** Equal for two ways to one file. */
    String identity() throws IOException;

    /** Bytes of the file. */
    long size() throws IOException;

    /**
     * Differs once a file on a disk was written to or replaced. An object of a store is taken to
     * stay what it is.
     */
    String version() throws IOException;

    /** Opens the file at its first byte; the caller closes it. */
    SeekableByteChannel open() throws IOException;

    private static String reason(IOException failure) {
        return failure instanceof FileSystemException files && files.getReason() != null
                ? files.getReason()
                : failure.getMessage();
    }

    /** The failure to read it, as the user needs to hear it. */
    default BatchWeaveException unreadable(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return new InvalidRequestException(
                    "Cannot read " + this + ": there is no such file, or no longer; check the path",
                    failure);
        }
        if (failure instanceof AccessDeniedException) {
            return new InvalidRequestException(
                    "Cannot read " + this + ": permission is denied; make it readable", failure);
        }
        return new UnavailableException(
                "Cannot read " + this + ": " + reason(failure) + "; try again", failure);
    }
}
