package io.batchweave.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** A stream that remembers why it stopped taking bytes: a writer on top of it only tells that. */
final class WatchedOutput extends OutputStream {
    private final OutputStream out;
    private volatile IOException failure;

    WatchedOutput(OutputStream out) {
        this.out = out;
    }

    /** Why bytes were lost; empty if none were, and if nobody wanted them any more. */
    Optional<IOException> loss() {
        return Optional.ofNullable(failure).filter(why -> !isClosedPipe(why));
    }

    /** Whether a write failed because the reader of a pipe has left, as {@code head} does. */
    static boolean isClosedPipe(IOException why) {
        return "Broken pipe".equals(why.getMessage());
    }

    @Override
    public void write(int aByte) throws IOException {
        write(new byte[] {(byte) aByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
