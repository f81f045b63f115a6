package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of one client, answered in order. While one is answered, which can take as long as a
 * step is waited for, another thread looks whether the client is still there.
 */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private static final long LOOK_MS = 1_000;

    private final Lines lines;
    private final Connection connection;
    private final SynchronousQueue<Heard> asked = new SynchronousQueue<>();
    private final Thread answering = Thread.currentThread();
    private boolean isOver;

    private sealed interface Heard {
        record Line(String text) implements Heard {}

        /** What has no end; nothing after it is heard. */
        record Endless() implements Heard {}
    }

    /** One whose answers are given by the thread that makes it. */
    Conversation(Lines lines, Connection connection) {
        this.lines = lines;
        this.connection = connection;
    }

    /** Returns when the client is gone, and all that it had is given back. */
    void run(Executor threads) {
        try (connection) {
            threads.execute(this::listen);
            while (asked.take() instanceof Heard.Line line) {
                lines.write(connection.answer(line.text()));
            }
            lines.write(Reply.error(endless()));
        } catch (InterruptedException | IOException e) {
            LOG.debug("A client is gone", e);
        } finally {
            end();
        }
    }

    private static InvalidRequestException endless() {
        return new InvalidRequestException(
                "Cannot read a request: a line has at most %d bytes, and this has more; the connection ends"
                        .formatted(Lines.BYTES_MAX));
    }

    private void listen() {
        try {
            Optional<String> line = lines.read();
            while (line.isPresent()) {
                hand(new Heard.Line(line.get()));
                line = lines.read();
            }
            interrupt();
        } catch (LineTooLongException e) {
            tellEndless();
        } catch (InterruptedException | IOException e) {
            LOG.debug("A client is no longer heard", e);
            interrupt();
        }
    }

    /** Who answers is not interrupted for it, as the reason is still to be written. */
    private void tellEndless() {
        try {
            hand(new Heard.Endless());
        } catch (InterruptedException e) {
            LOG.debug("The sidecar ends", e);
            interrupt();
        }
    }

    /** Waits until it is taken, or nobody is left who would answer it. */
    private void hand(Heard heard) throws InterruptedException {
        boolean isTaken = false;
        while (!isTaken && !isOver()) {
            isTaken = asked.offer(heard, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    private synchronized void interrupt() {
        if (!isOver) {
            answering.interrupt();
        }
    }

    /** From now on the thread does other things, and is not to be interrupted for this. */
    private synchronized void end() {
        isOver = true;
        Thread.interrupted();
    }
}
