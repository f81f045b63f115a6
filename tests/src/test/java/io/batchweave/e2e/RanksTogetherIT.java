package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Eight ranks start at the same moment, while somebody skips steps: all are given the same. */
@Tag("READ-5")
@Timeout(600)
class RanksTogetherIT {
    private static final int RANKS = 8;
    private static final int STEPS = 8;

    @TempDir private Path folder;

    /** Each rank has a store and a log of its own, as a process has. */
    @Test
    void fiftyTimesAllRanksAreGivenTheSame() throws Exception {
        Trained t = Trained.of(folder, STEPS);
        t.ran("attach", "j");
        ExecutorService ranks = Executors.newFixedThreadPool(RANKS + 1);
        try {
            int unlike = 0;
            for (int time = 0; time < 50; time++) {
                String session = "run-" + time;
                List<List<String>> given = together(ranks, t, session, time);
                assertThat(given).hasSize(RANKS).containsOnly(given.get(0));
                unlike += given.get(0).size() == STEPS ? 0 : 1;
                t.cli().run("unskip", "t.x", "--steps", "0..7").succeeded();
            }
            assertThat(unlike).as("times that the skip came before the session").isPositive();
        } finally {
            ranks.shutdownNow();
        }
    }

    /** The receipts that each rank was given. */
    private List<List<String>> together(
            ExecutorService threads, Trained t, String session, int time) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        Future<Ran> skipped =
                threads.submit(
                        at(
                                start,
                                () ->
                                        t.cli()
                                                .run(
                                                        "skip",
                                                        "t.x",
                                                        "--steps",
                                                        "3..5",
                                                        "--reason",
                                                        "r")));
        List<Future<List<String>>> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            ranks.add(threads.submit(at(start, () -> receipts(t, session))));
        }
        if (time % 10 == 0) {
            // Now and then the skip is there for sure.
            t.cli().run("skip", "t.x", "--steps", "3..5", "--reason", "r").succeeded();
        }
        start.countDown();
        assertThat(skipped.get().code()).isZero();
        List<List<String>> given = new ArrayList<>();
        for (Future<List<String>> rank : ranks) {
            given.add(rank.get());
        }
        return given;
    }

    private static <T> Callable<T> at(CountDownLatch start, Callable<T> action) {
        return () -> {
            start.await();
            return action.call();
        };
    }

    private static List<String> receipts(Trained t, String session) {
        t.ran("session", "j", "--id", session);
        return Trained.receipts(t.read("j", session, "--steps", "" + (STEPS - 3)));
    }

    static IntStream times() {
        return Kills.times(1);
    }

    /** The same with real processes, each of which also says that it has saved. */
    @ParameterizedTest
    @MethodSource("times")
    @Tag("JOB-3")
    void processesOfAJobAgree(int time) throws IOException {
        Trained t = Trained.of(folder, STEPS);
        t.ran("attach", "j");
        List<CliProcess> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < RANKS; rank++) {
                ranks.add(rank(t, rank));
            }
            // Somewhere among the sessions' first requests, or before or after all of them.
            CliProcess skip = CliProcess.start(folder, skip(t));
            ranks.forEach(rank -> rank.end().succeeded());
            skip.end().succeeded();
        } finally {
            ranks.forEach(CliProcess::close);
        }
        List<List<String>> given = new ArrayList<>();
        int made = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            List<JsonNode> told = new Ran(0, Files.readString(told(rank)), "").json();
            JsonNode saved = told.get(told.size() - 1);
            made += saved.get("complete").asBoolean() ? 1 : 0;
            given.add(Trained.receipts(told));
        }
        assertThat(given).containsOnly(given.get(0));
        assertThat(made).as("ranks that found all others' acknowledgements").isPositive();
        assertThat(t.job("j").get("checkpoints")).hasSize(1);
        t.cli().run("prove", "t.x", "--checkpoint", "c-s").succeeded();
    }

    private CliProcess rank(Trained t, int rank) {
        return CliProcess.start(
                folder,
                CliProcess.FLAGS,
                RankMain.class.getName(),
                t.cli().warehouse().toString(),
                told(rank).toString(),
                "s",
                rank + "/" + RANKS,
                "" + (STEPS - 3));
    }

    private Path told(int rank) {
        return folder.resolve("told-" + rank);
    }

    private static String[] skip(Trained t) {
        return Cli.at(
                t.cli().warehouse().toString(), "skip", "t.x", "--steps", "3..5", "--reason", "r");
    }
}
