package io.batchweave.store.hadoop;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that gets the name of its key when it is complete. */
final class HadoopUpload implements Upload {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopUpload.class);

    /**
     * Folders can go while we make them, when others delete what was in them. Every further try
     * needs another deletion in the same instant.
     */
    private static final int RENAME_TRIES_MAX = 100;

    private static final int PIECE_BYTES = 64 << 10;

    private final HadoopStore store;
    private final String key;
    private final Path target;
    private final Path file;
    private final FSDataOutputStream out;
    private State state = State.WRITING;

    private enum State {
        WRITING,
        /** All is written, and the file still has its first name, as far as we know. */
        STAGED,
        OVER
    }

    HadoopUpload(HadoopStore store, String key, Path target) throws IOException {
        this.store = store;
        this.key = key;
        this.target = target;
        this.file = store.staging().newName();
        this.out = store.staging().create(file);
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireWriting();
        try {
            if (bytes.hasArray()) {
                out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
                bytes.position(bytes.limit());
            } else {
                writeInPieces(bytes);
            }
        } catch (IOException e) {
            close();
            throw store.cannot("create", key, e);
        }
    }

    private void writeInPieces(ByteBuffer bytes) throws IOException {
        byte[] piece = new byte[Math.min(PIECE_BYTES, bytes.remaining())];
        while (bytes.hasRemaining()) {
            int length = Math.min(piece.length, bytes.remaining());
            bytes.get(piece, 0, length);
            out.write(piece, 0, length);
        }
    }

    @Override
    public Creation complete() {
        requireWriting();
        try {
            out.close();
            state = State.STAGED;
        } catch (IOException e) {
            close();
            throw store.cannot("create", key, e);
        }
        try {
            rename();
            state = State.OVER;
            return new Creation.Done(store.now());
        } catch (FileAlreadyExistsException e) {
            return refused(e);
        } catch (IOException e) {
            return settled(e);
        } finally {
            close();
        }
    }

    private void rename() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                store.space().rename().now(file, target);
                return;
            } catch (FileNotFoundException e) {
                if (tries == RENAME_TRIES_MAX || !store.space().files().exists(file)) {
                    throw e;
                }
                store.space().files().mkdirs(target.getParent());
            }
        }
    }

    /**
     * What to tell who found the key taken: that the other object is durable. The server keeps a
     * journal in order, so it is once our own file's end is in there.
     */
    private Creation refused(IOException failure) {
        return remove()
                ? new Creation.Refused(store.now())
                : new Creation.Unknown(store.cannot("create", key, failure));
    }

    /**
     * How a rename came out that may have been made, may be on its way, or may have failed.
     *
     * <p>1. The request is sent and no answer arrives. 2. Its file is removed here, by its first
     * name. 3. The request arrives, late. It finds nothing to rename. Had it arrived before, there
     * would have been nothing to remove.
     */
    private Creation settled(IOException failure) {
        UnavailableException why = store.cannot("create", key, failure);
        if (remove()) {
            throw why;
        }
        return new Creation.Unknown(why);
    }

    /** Whether it was still there, and is now gone. */
    private boolean remove() {
        state = State.OVER;
        try {
            return store.space().files().delete(file, false);
        } catch (IOException e) {
            LOG.debug("{} stays until another writer removes it", file, e);
            return false;
        }
    }

    /** Removes the file, unless it has become the object. */
    @Override
    public void close() {
        store.over(this);
        if (state == State.WRITING) {
            state = State.STAGED;
            try {
                out.close();
            } catch (IOException e) {
                LOG.debug("{} was given up, unfinished", file, e);
            }
        }
        if (state == State.STAGED) {
            remove();
        }
    }

    private void requireWriting() {
        if (state != State.WRITING) {
            throw new InvalidRequestException(
                    "Cannot write to %s in %s: its upload is over; start another"
                            .formatted(key, store.uri()));
        }
    }
}
