package io.batchweave.cli.inputs;

import io.batchweave.cli.files.Location;
import io.batchweave.errors.BatchWeaveException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;

/**
 * One file to read, or one object of a store. As text it is what people call it.
 *
 * @param location where it is now
 * @param name what progress calls it: its path below the argument that named it, with '/' between
 *     the parts
 */
public record Input(Location location, String name) {

    /**
     * Its bytes now.
     *
     * @throws BatchWeaveException if it cannot be read
     */
    public long size() {
        try {
            return location.size();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** Differs once it was written to or replaced. */
    String version() {
        try {
            return location.version();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /**
     * Opens it at its first byte; the caller closes it.
     *
     * @throws BatchWeaveException if it is not there any more, or cannot be read
     */
    public SeekableByteChannel open() {
        try {
            return location.open();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** All of its bytes; the caller closes the stream. */
    public InputStream stream() {
        return Channels.newInputStream(open());
    }

    /** The failure to read it, as the user needs to hear it. */
    public BatchWeaveException unreadable(IOException failure) {
        return location.unreadable(failure);
    }

    @Override
    public String toString() {
        return location.toString();
    }
}
