package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is let in while the process has too little of something. */
class EntranceTest {
    private final AtomicInteger inside = new AtomicInteger();
    private final List<SocketChannel> served = new ArrayList<>();
    private final List<SocketChannel> made = new ArrayList<>();
    private int pauses;

    /** Clients come, but where there is none the process has no open file left. */
    private void run(Executor threads, SocketChannel... clients) {
        Deque<SocketChannel> left = new ArrayDeque<>(List.of(clients));
        AtomicInteger asked = new AtomicInteger();
        Entrance.Door door =
                () -> {
                    if (asked.incrementAndGet() == 2) {
                        throw new IOException("Too many open files");
                    }
                    if (left.isEmpty()) {
                        throw new ClosedChannelException();
                    }
                    return left.remove();
                };
        new Entrance(door, served::add, threads, duration -> pauses++, inside).run();
    }

    private SocketChannel client() throws IOException {
        SocketChannel client = SocketChannel.open();
        made.add(client);
        return client;
    }

    @AfterEach
    void closeClients() throws IOException {
        for (SocketChannel client : made) {
            client.close();
        }
    }

    @Test
    void clientsAreLetInAgainOnceThereAreOpenFiles() throws IOException {
        SocketChannel first = client();
        SocketChannel second = client();
        run(Runnable::run, first, second);
        assertThat(served).containsExactly(first, second);
        assertThat(pauses).isEqualTo(1);
        assertThat(inside).hasValue(0);
    }

    @Test
    void aClientWithoutAThreadIsSentAwayAndTheNextIsServed() throws IOException {
        SocketChannel first = client();
        SocketChannel second = client();
        AtomicInteger threads = new AtomicInteger();
        run(
                work -> {
                    if (threads.getAndIncrement() == 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    work.run();
                },
                first,
                second);
        assertThat(first.isOpen()).isFalse();
        assertThat(served).containsExactly(second);
        assertThat(inside).hasValue(0);
    }
}
