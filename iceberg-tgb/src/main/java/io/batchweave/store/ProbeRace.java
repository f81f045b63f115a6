package io.batchweave.store;

import io.batchweave.errors.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;

/** Many who create the same objects at the same time. */
final class ProbeRace {
    private final int racers;

    ProbeRace(int racers) {
        this.racers = racers;
    }

    /** What a racer writes. */
    static String bodyOf(int racer) {
        return "racer " + racer;
    }

    /**
     * Lets them race for one key after the other.
     *
     * @return for each key the outcomes, in the order of the racers
     * @throws UnavailableException if the thread is interrupted
     */
    List<List<Creation>> run(List<String> keys, Probe.Way way) {
        Phaser start = new Phaser(racers);
        List<Callable<List<Creation>>> races = new ArrayList<>();
        for (int racer = 0; racer < racers; racer++) {
            String body = bodyOf(racer);
            races.add(() -> creations(keys, way, body, start));
        }
        ExecutorService threads = Executors.newFixedThreadPool(racers);
        try {
            return transposed(keys.size(), threads.invokeAll(races));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("Cannot probe: the thread was interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A racer who fails leaves, so that nobody waits for it. */
    private static List<Creation> creations(
            List<String> keys, Probe.Way way, String body, Phaser start) {
        try {
            List<Creation> creations = new ArrayList<>();
            for (String key : keys) {
                start.arriveAndAwaitAdvance();
                creations.add(way.create(key, body));
            }
            return creations;
        } finally {
            start.arriveAndDeregister();
        }
    }

    private static List<List<Creation>> transposed(int keys, List<Future<List<Creation>>> racers)
            throws InterruptedException {
        List<List<Creation>> outcomes = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            outcomes.add(new ArrayList<>());
        }
        for (Future<List<Creation>> racer : racers) {
            List<Creation> creations = result(racer);
            for (int key = 0; key < keys; key++) {
                outcomes.get(key).add(creations.get(key));
            }
        }
        return outcomes;
    }

    private static List<Creation> result(Future<List<Creation>> racer) throws InterruptedException {
        try {
            return racer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new UnavailableException("Cannot probe: a racer gave up", e);
        }
    }
}
