package io.batchweave.sidecar;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of one client, answered in order. While one is answered, which can take as long as a
 * step is waited for, another thread looks whether the client is still there.
 */
final class Conversation {
    private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

    private final Lines lines;
    private final Connection connection;
    private final SynchronousQueue<String> asked = new SynchronousQueue<>();
    private final Thread answering = Thread.currentThread();
    private boolean isOver;

    /** One whose answers are given by the thread that makes it. */
    Conversation(Lines lines, Connection connection) {
        this.lines = lines;
        this.connection = connection;
    }

    /** Returns when the client is gone, and all that it had is given back. */
    void run(Executor threads) {
        try (connection) {
            threads.execute(this::listen);
            while (true) {
                lines.write(connection.answer(asked.take()));
            }
        } catch (InterruptedException | IOException e) {
            LOG.debug("A client is gone", e);
        } finally {
            end();
        }
    }

    private void listen() {
        try {
            Optional<String> line = lines.read();
            while (line.isPresent()) {
                asked.put(line.get());
                line = lines.read();
            }
        } catch (InterruptedException | IOException e) {
            LOG.debug("A client is no longer heard", e);
        } finally {
            interrupt();
        }
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
