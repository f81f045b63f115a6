package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.read.Turn;
import io.batchweave.sidecar.arena.Arena;
import io.batchweave.sidecar.arena.Slices;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Readers that are opened and closed at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeTest {
    private static final DatasetName NAME = DatasetName.parse("train.numbers");

    @TempDir private Path folder;
    private final World world = World.real();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Warehouse> warehouses = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private Slices slices;
    private Node node;

    @BeforeEach
    void makeNode() {
        Arena arena =
                Arena.make(
                        folder.resolve("arena"),
                        1 << 20,
                        PosixFilePermissions.fromString("rw-------"));
        slices = new Slices(arena);
        node = new Node(world, this::opened, slices, 1 << 20, Duration.ofSeconds(1), threads);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        slices.close();
    }

    private ObjectStore opened(String uri) {
        opened.incrementAndGet();
        return new ForwardingStore(warehouses.get(uri)) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    private Warehouse warehouse(String uri) {
        ObjectStore store = new MemoryStore(world);
        Log.create(store, NAME, Numbers.dataset("dp=12"), world, LogLimits.DEFAULT);
        Warehouse made = new Warehouse(store, world);
        warehouses.put(uri, made);
        return made;
    }

    /** A warehouse that answers until it hangs, and again once it is mended. */
    private static final class Warehouse extends ForwardingStore {
        private final ObjectStore store;
        private final World world;
        private final CompletableFuture<Void> asked = new CompletableFuture<>();
        private volatile CompletableFuture<Void> mended = CompletableFuture.completedFuture(null);

        Warehouse(ObjectStore store, World world) {
            super(store);
            this.store = store;
            this.world = world;
        }

        void hang() {
            mended = new CompletableFuture<>();
        }

        void awaitAsked() {
            asked.join();
        }

        void mend() {
            mended.complete(null);
        }

        @Override
        public Fetched read(String key, int bytesMax) {
            if (!mended.isDone()) {
                asked.complete(null);
            }
            try {
                world.pause().await(mended);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return store.read(key, bytesMax);
        }
    }

    private CompletableFuture<Reader> opening(Ask ask) {
        return CompletableFuture.supplyAsync(() -> node.open(ask), threads);
    }

    private static Ask ask(String warehouse, String job) {
        return new Ask(
                warehouse,
                NAME.toString(),
                Optional.empty(),
                job.isEmpty() ? Optional.empty() : Optional.of(job),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Turn.ALL,
                Ask.Arrival.BEGINS,
                Optional.empty());
    }

    @Test
    void aWarehouseThatHangsHoldsUpNoOtherDataset() {
        warehouse("/well");
        Warehouse ill = warehouse("/ill");
        ill.hang();
        CompletableFuture<Reader> waiting = opening(ask("/ill", ""));
        ill.awaitAsked();

        Reader well = node.open(ask("/well", "llm"));
        assertThat(node.datasets().all()).hasSize(1);
        node.close(well);

        ill.mend();
        node.close(waiting.join());
    }

    @Test
    void aJobThatStartsOnAWarehouseThatHangsHoldsUpNoOther() {
        warehouse("/well");
        Warehouse ill = warehouse("/ill");
        Reader held = node.open(ask("/ill", ""));
        ill.hang();
        CompletableFuture<Reader> waiting = opening(ask("/ill", "llm"));
        ill.awaitAsked();

        node.close(node.open(ask("/well", "other")));
        node.close(held);

        ill.mend();
        node.close(waiting.join());
    }

    @Test
    void manyThatOpenADatasetAtOnceOpenItOnceAndJoinOneSession() {
        warehouse("/well");
        List<CompletableFuture<Reader>> opening = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            opening.add(opening(ask("/well", "llm")));
        }
        List<Reader> readers = opening.stream().map(CompletableFuture::join).toList();

        assertThat(readers).extracting(Reader::session).containsOnly(readers.get(0).session());
        assertThat(opened).hasValue(1);
        readers.forEach(node::close);
        assertThat(closed).hasValue(1);
        assertThat(node.datasets().all()).isEmpty();
    }
}
