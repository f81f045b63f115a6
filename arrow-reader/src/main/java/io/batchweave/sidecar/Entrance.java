package io.batchweave.sidecar;

import io.batchweave.world.Pause;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets clients in, each to a thread of its own, until the door is closed.
 *
 * <p>What the process has too few of, such as open files and threads, it may have again when a
 * client leaves: so nobody who is in is turned out for it, and those who come wait at the door.
 */
final class Entrance implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Entrance.class);
    private static final Duration AGAIN = Duration.ofMillis(200);

    private final Door door;
    private final Consumer<SocketChannel> serve;
    private final Executor threads;
    private final Pause pause;
    private final AtomicInteger inside;
    private boolean isCrowded;

    /** Where clients come in. */
    interface Door {
        /**
         * Waits for the next client.
         *
         * @throws ClosedChannelException if there will be none any more
         * @throws IOException if none can be let in for now
         */
        SocketChannel next() throws IOException;
    }

    /**
     * @param serve returns when a client is gone
     * @param threads each client has one
     * @param inside counts the clients that are served
     */
    Entrance(
            Door door,
            Consumer<SocketChannel> serve,
            Executor threads,
            Pause pause,
            AtomicInteger inside) {
        this.door = door;
        this.serve = serve;
        this.threads = threads;
        this.pause = pause;
        this.inside = inside;
    }

    @Override
    public void run() {
        while (true) {
            try {
                admit(door.next());
                isCrowded = false;
            } catch (ClosedChannelException e) {
                LOG.debug("No more clients are accepted", e);
                return;
            } catch (IOException e) {
                complain(e);
                pause.pause(AGAIN);
            }
        }
    }

    private void admit(SocketChannel client) throws IOException {
        inside.incrementAndGet();
        try {
            threads.execute(() -> attend(client));
        } catch (RuntimeException | Error e) {
            // Java says by an Error that there is no thread.
            inside.decrementAndGet();
            client.close();
            throw new IOException(e.getMessage(), e);
        }
    }

    private void attend(SocketChannel client) {
        try {
            serve.accept(client);
        } finally {
            inside.decrementAndGet();
        }
    }

    /** Says it once, however long it lasts. */
    private void complain(IOException cause) {
        if (!isCrowded) {
            LOG.warn(
                    "Cannot accept a client for now: {}; it can once others leave, or with higher limits"
                            + " of open files and threads (ulimit -n, -u)",
                    cause.getMessage());
        }
        isCrowded = true;
    }
}
