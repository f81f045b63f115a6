package io.batchweave.sidecar.arena;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * One file of the arena. One thread writes it from its start to its end and completes it; then it
 * is not changed any more, and is there until everybody who holds a part of it has let go.
 */
final class ArenaFile {
    private final Arena arena;
    private final Path path;
    private final FileChannel channel;
    private long length;
    private int holders;

    ArenaFile(Arena arena, Path path, FileChannel channel) {
        this.arena = arena;
        this.path = path;
        this.channel = channel;
    }

    Path path() {
        return path;
    }

    /** What it takes. */
    long length() {
        return length;
    }

    /**
     * Writes the next bytes.
     *
     * @throws ArenaFullException if they have no room
     */
    void write(ByteBuffer piece) {
        long at = length;
        arena.take(piece.remaining());
        length += piece.remaining();
        try {
            while (piece.hasRemaining()) {
                at += channel.write(piece, at);
            }
        } catch (IOException e) {
            throw Arena.full(path, e);
        }
    }

    /** Goes on at the next multiple; what lies between is never looked at. */
    void align(long multiple) {
        long aligned = (length + multiple - 1) / multiple * multiple;
        arena.take(aligned - length);
        length = aligned;
    }

    /** Writes no more: so many hold it from now on. */
    void complete(int holding) {
        holders = holding;
        closeChannel();
    }

    /** Gives up what was not completed. */
    void discard() {
        closeChannel();
        arena.unlink(path, length);
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) {
            throw Arena.full(path, e);
        }
    }

    /** One of its holders lets go. */
    synchronized void letGo() {
        holders--;
        if (holders == 0) {
            arena.unlink(path, length);
        }
    }
}
