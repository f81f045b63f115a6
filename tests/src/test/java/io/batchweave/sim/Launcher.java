package io.batchweave.sim;

import io.batchweave.read.Cursor;
import java.util.HashMap;
import java.util.Map;

/**
 * What of a training job outlives its processes: how often it was started and where, and the models
 * that its ranks have saved, each with its cursor.
 */
final class Launcher {
    private final int ranks;
    private final Map<String, Map<Integer, Cursor>> saved = new HashMap<>();
    private int starts;
    private String from = "";

    /**
     * A start of the job, the same for all its ranks.
     *
     * @param session what they call it
     * @param from the checkpoint that they want to start at; empty: where the job is
     */
    record Start(String session, String from) {}

    Launcher(int ranks) {
        this.ranks = ranks;
    }

    int ranks() {
        return ranks;
    }

    /** A rank has died, or is new: the job starts again. */
    void restart(String checkpoint) {
        starts++;
        from = checkpoint;
    }

    Start start() {
        return new Start("s" + starts, from);
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

    /** The models of a checkpoint are deleted. */
    void delete(String checkpoint) {
        saved.remove(checkpoint);
    }

    /** Up to which step the models of all ranks have come, as far as they were not deleted. */
    long furthest() {
        return saved.values().stream()
                .filter(models -> models.size() == ranks)
                .mapToLong(models -> models.values().iterator().next().nextStep())
                .max()
                .orElse(0);
    }
}
