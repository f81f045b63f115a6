package io.batchweave.store.local;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that gets the name of its key when it is complete. */
final class LocalUpload implements Upload {
    /**
     * Folders can go while we make them, when others delete what was in them. Every further try
     * needs another deletion in the same instant.
     */
    private static final int LINK_TRIES_MAX = 100;

    private final LocalStore store;
    private final Staging staging;
    private final String key;
    private final Path target;
    private final Path file;
    private final FileChannel channel;
    private State state = State.WRITING;

    private enum State {
        WRITING,
        OVER,
        /** The file may have its second name, and that may not be durable: it keeps the first. */
        DOUBTFUL
    }

    LocalUpload(LocalStore store, Staging staging, String key, Path target) throws IOException {
        this.store = store;
        this.staging = staging;
        this.key = key;
        this.target = target;
        this.file = staging.newFile();
        this.channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireWriting();
        try {
            Bulk.write(channel, bytes);
        } catch (IOException e) {
            close();
            throw notCreated(e);
        }
    }

    @Override
    public Creation complete() {
        requireWriting();
        state = State.OVER;
        try {
            store.disk().syncFile(channel);
            channel.close();
            staging.linksInto(target.getParent());
            return link();
        } catch (IOException e) {
            store.folders().prune(target.getParent());
            throw notCreated(e);
        } finally {
            close();
        }
    }

    /**
     * Gives the file the name of its key.
     *
     * @throws IOException if it certainly did not get it
     */
    private Creation link() throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                store.disk().link(file, target);
                return linked();
            } catch (FileAlreadyExistsException e) {
                return store.refused(key, target);
            } catch (NoSuchFileException e) {
                if (tries == LINK_TRIES_MAX || !Files.exists(file)) {
                    throw e;
                }
                makeFolder();
            } catch (IOException e) {
                // Over a network, a call can fail although it has linked: the answer is lost.
                if (mayBeLinked()) {
                    state = State.DOUBTFUL;
                    return new Creation.Unknown(e);
                }
                throw e;
            }
        }
    }

    private void makeFolder() throws IOException {
        try {
            store.folders().make(target.getParent());
        } catch (NoSuchFileException e) {
            // Another one prunes. The next try finds out; but a missing root will not come back.
            if (!Files.exists(store.folders().root())) {
                throw e;
            }
        }
    }

    private Creation linked() {
        Path folder = target.getParent();
        state = State.DOUBTFUL;
        try {
            store.folders().sync(folder);
        } catch (IOException e) {
            return new Creation.Unknown(e);
        }
        store.folders().markDurable(folder);
        state = State.OVER;
        return new Creation.Done(store.now());
    }

    private boolean mayBeLinked() {
        try {
            return Status.of(file).isDoubtful();
        } catch (IOException e) {
            return true;
        }
    }

    /** Removes the file's first name. Its key, if it has got it, stays. */
    @Override
    public void close() {
        if (state == State.WRITING) {
            state = State.OVER;
        }
        try (channel) {
            if (state == State.OVER) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It is invisible, and goes with the folder it is in.
            return;
        }
    }

    private void requireWriting() {
        if (state != State.WRITING) {
            throw new InvalidRequestException(
                    "Cannot write to %s in %s: its upload is over; start another"
                            .formatted(key, store.uri()));
        }
    }

    private UnavailableException notCreated(IOException cause) {
        return store.cannot("create", key, cause);
    }
}
