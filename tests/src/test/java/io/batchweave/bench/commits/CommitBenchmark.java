package io.batchweave.bench.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.bench.Timings;
import io.batchweave.s3.S3Proxy;
import io.batchweave.store.CountingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.s3.S3Settings;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commits on one S3 server: how many requests and bytes each takes, alone after a history of more
 * and more commits, and with writers beside it. Counts are judged, times are printed.
 */
class CommitBenchmark {
    private static final Duration FAR = Duration.ofMillis(20);

    /** Lengths of the history; the last one takes Iceberg 8 GB of a disk. */
    private static final List<Integer> HISTORIES =
            Stream.of(System.getProperty("bench.histories", "0,1000,3000").split(","))
                    .map(Integer::valueOf)
                    .toList();

    private static final List<Integer> WRITERS = List.of(1, 2, 4, 8);
    private static final int COMMITS = 40;

    /** Whom to measure: onecreate, BatchWeave, Iceberg, Icebergexpiring, Delta. */
    private static final String PEERS = System.getProperty("bench.peers", ".*");

    /** Bytes of the create that is the limit. */
    private static final int LIMIT = 1_024;

    private static final int PAIRS = 201;

    /** Commits in a turn: few, so that what else the machine does seldom falls into one. */
    private static final int TURN = 4;

    /** Until the compiler has seen all of it; a producer lives longer. */
    private static final int WARM_UPS = 3_000;

    /**
     * Iceberg keeps in memory what it has read of every snapshot; a writer does not live so long.
     */
    private static final int REOPEN_COMMITS = 100;

    @TempDir private static Path folder;
    private static S3Proxy server;

    private final World world = World.real();

    @BeforeAll
    static void start() {
        server = S3Proxy.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * In turn, so that both find the machine in the same mood: beside a create of {@value #LIMIT}
     * bytes, and beside one of as many as a commit has.
     */
    @Test
    void commitsOfOneWriterBesideOneCreate() throws IOException {
        try (CountingStore counted = new CountingStore(open())) {
            new BatchWeave().create(counted, "pairs");
            Peer.Writer near = new BatchWeave().writer(counted, "pairs", 0);
            long before = counted.requests().bytesUp();
            near.commit();
            int same = (int) (counted.requests().bytesUp() - before);
            repeat(near, WARM_UPS);
            for (Duration latency : List.of(Duration.ZERO, FAR)) {
                ObjectStore way = slow(counted, latency);
                Peer.Writer commit = new BatchWeave().writer(way, "pairs", 0);
                for (int bytes : List.of(LIMIT, same)) {
                    Peer.Writer create = new BarePut(bytes).writer(way, "pairs-bare", 0);
                    pairs(counted, create, commit, bytes)
                            .printPerSecond(latency.toMillis() + " ms away", TURN);
                }
            }
        }
    }

    private static Timings pairs(
            CountingStore counted, Peer.Writer create, Peer.Writer commit, int bytes)
            throws IOException {
        Timings timings = new Timings("one create of %,d bytes".formatted(bytes), "one commit");
        long before = counted.requests().total();
        for (int pair = 0; pair < PAIRS; pair++) {
            timings.time(() -> repeat(create, TURN), () -> repeat(commit, TURN));
        }
        long each = (long) (PAIRS + Timings.WARM_UPS) * TURN;
        assertThat(counted.requests().total() - before).isEqualTo(2 * each);
        return timings;
    }

    private static void repeat(Peer.Writer writer, int commits) {
        for (int i = 0; i < commits; i++) {
            writer.commit();
        }
    }

    @Test
    void commitsBesideIcebergDeltaAndOneCreate() {
        List<Peer> peers =
                Stream.of(
                                new BarePut(LIMIT),
                                new BatchWeave(),
                                Iceberg.keepingSnapshots(),
                                Iceberg.expiringSnapshots(),
                                new Delta())
                        .filter(peer -> tableOf(peer).matches(PEERS))
                        .toList();
        System.out.println(
                "| commits of | requests, alone | KiB | commits/s | commits/s at 20 ms a request |"
                        + " requests of 1, 2, 4, 8 writers | commits/s of all at 20 ms |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (Peer peer : peers) {
            List<Measured> near = new ArrayList<>();
            List<Measured> far = new ArrayList<>();
            alone(peer, near, far);
            List<Measured> together =
                    WRITERS.stream().map(writers -> together(peer, writers)).toList();
            System.out.printf(
                    "| %s | %s | %s | %s | %s | %s | %s |%n",
                    peer.name(),
                    row(near, "%.1f", Measured::requestsPerCommit),
                    row(near, "%.0f", Measured::kibPerCommit),
                    row(near, "%.0f", Measured::commitsPerSecond),
                    row(far, "%.1f", Measured::commitsPerSecond),
                    row(together, "%.1f", Measured::requestsPerCommit),
                    row(together, "%.1f", Measured::commitsPerSecond));
            if (peer instanceof BatchWeave) {
                assertCostsOneRequest(near);
                assertCostsOneRequest(far);
            }
        }
    }

    /** One request, and the same bytes but for those of longer numbers, whatever came before. */
    private static void assertCostsOneRequest(List<Measured> measured) {
        assertThat(measured).allSatisfy(each -> assertThat(each.requestsPerCommit()).isOne());
        double first = measured.get(0).kibPerCommit();
        assertThat(measured)
                .allSatisfy(
                        each ->
                                assertThat(each.kibPerCommit() - first)
                                        .isLessThanOrEqualTo(64 / 1024.0));
    }

    /** One writer of a table that grows: what some commits take near and far, at each length. */
    private void alone(Peer peer, List<Measured> near, List<Measured> far) {
        String table = "alone-" + tableOf(peer);
        try (CountingStore counted = new CountingStore(open())) {
            peer.create(counted, table);
            Peer.Writer writer = peer.writer(counted, table, 0);
            int commits = 0;
            for (int history : HISTORIES) {
                for (; commits < history; commits++) {
                    if (commits % REOPEN_COMMITS == 0) {
                        writer = peer.writer(counted, table, 0);
                    }
                    writer.commit();
                }
                near.add(measured(counted, List.of(writer), COMMITS));
                commits += COMMITS;
                CountingStore distant = new CountingStore(slow(counted, FAR));
                Peer.Writer again = peer.writer(distant, table, 0);
                again.commit();
                far.add(measured(distant, List.of(again), COMMITS));
                commits += COMMITS + 1;
                writer = peer.writer(counted, table, 0);
                writer.commit();
            }
        }
    }

    /** Several writers of a new table, each with a view of its own. */
    private Measured together(Peer peer, int writers) {
        String table = "together-" + writers + "-" + tableOf(peer);
        try (CountingStore counted = new CountingStore(open())) {
            peer.create(counted, table);
            List<Peer.Writer> all = new ArrayList<>();
            for (int number = 0; number < writers; number++) {
                all.add(peer.writer(slow(counted, FAR), table, number));
            }
            return measured(counted, all, COMMITS);
        }
    }

    private static String tableOf(Peer peer) {
        return peer.name().replaceAll("[^A-Za-z]", "");
    }

    private ObjectStore open() {
        return server.access().open("s3://" + S3Proxy.BUCKET + "/bench", world, S3Settings.DEFAULT);
    }

    private SlowStore slow(ObjectStore store, Duration latency) {
        return new SlowStore(store, world.pause(), latency);
    }

    private static Measured measured(CountingStore store, List<Peer.Writer> writers, int each) {
        ExecutorService threads = Executors.newFixedThreadPool(writers.size());
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> done =
                writers.stream()
                        .<Future<?>>map(
                                writer ->
                                        threads.submit(
                                                () -> {
                                                    start.await();
                                                    for (int i = 0; i < each; i++) {
                                                        writer.commit();
                                                    }
                                                    return each;
                                                }))
                        .toList();
        var before = store.requests();
        long begun = System.nanoTime();
        start.countDown();
        done.forEach(CommitBenchmark::await);
        long nanos = System.nanoTime() - begun;
        threads.shutdown();
        return new Measured((long) writers.size() * each, store.requests().minus(before), nanos);
    }

    private static void await(Future<?> done) {
        try {
            done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static String row(
            List<Measured> measured, String format, Function<Measured, Double> figure) {
        Stream<String> figures =
                measured.stream().map(each -> format.formatted(figure.apply(each)));
        return figures.collect(Collectors.joining(" / "));
    }
}
