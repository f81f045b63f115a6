package io.batchweave.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.produce.BatchWriter;
import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.store.CountingStore;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A network that lets writes arrive and loses their answers costs requests and nothing else. */
@Timeout(300)
class LostAnswersIT {
    private static final int BATCHES = 1_000;

    private static final DatasetName NAME = DatasetName.parse("train.numbers");
    private static final World WORLD = World.real();

    @TempDir private Path folder;

    @Test
    @Tag("STORE-1")
    @Tag("STORE-2")
    void thousandPublishesAreThousandBatches() throws Exception {
        // Of every object the first write arrives, and its answer is lost.
        Set<String> written = ConcurrentHashMap.newKeySet();
        try (S3Proxy server = S3Proxy.start(folder);
                DroppingProxy proxy =
                        DroppingProxy.before(
                                server.endpoint(),
                                line ->
                                        line.startsWith("PUT ")
                                                && line.contains(NAME.name())
                                                && !line.contains("/probe/")
                                                && written.add(line));
                CountingStore store =
                        new CountingStore(
                                server.access()
                                        .through(proxy.endpoint())
                                        .open(
                                                "s3://" + S3Proxy.BUCKET,
                                                WORLD,
                                                S3ContractIT.SMALL_PARTS))) {
            Log log = Log.create(store, NAME, Numbers.dataset("dp=1"), WORLD, LogLimits.DEFAULT);

            List<Long> steps = publish(log);

            assertThat(steps).isEqualTo(LongStream.range(0, BATCHES).boxed().toList());
            assertThat(proxy.dropped()).isGreaterThan(BATCHES);
            assertThat(store.requests().unknown() + store.requests().refused()).isPositive();
            Log again = Log.open(store, NAME, WORLD, LogLimits.DEFAULT);
            assertThat(again.state().nextStep()).isEqualTo(BATCHES);
            assertThat(again.state().receipt()).isEqualTo(log.catchUp().receipt());
        }
    }

    private static List<Long> publish(Log log) {
        ExecutorService committer = Executors.newSingleThreadExecutor();
        List<CompletableFuture<Long>> steps = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                Producer producer = Producer.open(log, "p0", ProducerLimits.DEFAULT, committer)) {
            for (int i = 0; i < BATCHES; i++) {
                try (BatchWriter batch = producer.newBatch();
                        VectorSchemaRoot slice = Numbers.slice(allocator, i, 0)) {
                    batch.write(slice);
                    steps.add(batch.publish(Numbers.progress(i + 1), List.of()));
                }
            }
            producer.flush();
        } finally {
            committer.shutdown();
        }
        return steps.stream().map(CompletableFuture::join).toList();
    }
}
