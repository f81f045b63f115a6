package io.batchweave.sim;

import io.batchweave.read.Cursor;
import java.util.HashMap;
import java.util.Map;

/**
 * What of a training job outlives its processes: how often it was started, and the models that its
 * ranks have saved, each with its cursor.
 */
final class Launcher {
    private final int ranks;
    private final Map<String, Map<Integer, Cursor>> saved = new HashMap<>();
    private int starts;

    Launcher(int ranks) {
        this.ranks = ranks;
    }

    int ranks() {
        return ranks;
    }

    /** A rank has died, or is new: the job starts again. */
    void restart() {
        starts++;
    }

    /** What the ranks of this start call their session. */
    String session() {
        return "s" + starts;
    }

    void save(String checkpoint, int rank, Cursor cursor) {
        saved.computeIfAbsent(checkpoint, name -> new HashMap<>()).put(rank, cursor);
    }

    /** Whether every rank has saved its part of a checkpoint. */
    boolean isWhole(String checkpoint) {
        return saved.getOrDefault(checkpoint, Map.of()).size() == ranks;
    }

    Cursor load(String checkpoint, int rank) {
        return saved.get(checkpoint).get(rank);
    }
}
