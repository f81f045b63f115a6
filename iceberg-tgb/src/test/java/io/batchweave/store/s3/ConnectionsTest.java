package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits have connections of their own. */
@Timeout(60)
class ConnectionsTest {
    private final FakeS3 server = FakeS3.start();

    @Test
    void payloadDoesNotKeepCommitsWaiting() throws Exception {
        int all = FakeS3.SETTINGS.connectionsMax();
        CountDownLatch busy = new CountDownLatch(all);
        CountDownLatch over = new CountDownLatch(1);
        ExecutorService readers = Executors.newFixedThreadPool(all);
        try (server;
                ObjectStore store = server.open(World.real())) {
            store.create("data/x", bytes("payload"));
            server.plan(
                    request -> request.key().equals("data/x"),
                    all,
                    (request, good) -> {
                        busy.countDown();
                        await(over);
                        return Optional.of(good.answer(request));
                    });
            List<Future<String>> reads = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                reads.add(
                        readers.submit(
                                () -> text(store.readInto("data/x", 0, ByteBuffer.allocate(7)))));
            }
            busy.await();

            assertThat(store.create("log/7", bytes("commit"))).isInstanceOf(Creation.Done.class);
            assertThat(text(store.read("log/7", 6))).isEqualTo("commit");

            over.countDown();
            for (Future<String> read : reads) {
                assertThat(read.get()).isEqualTo("payload");
            }
        } finally {
            over.countDown();
            readers.shutdown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
