package io.batchweave.retain;

import io.batchweave.model.Names;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whose part of a checkpoint it is, where each rank saves its own.
 *
 * @param rank from 0
 * @param worldSize how many ranks there are
 */
public record Shard(int rank, int worldSize) {
    /** Most ranks that acknowledge one checkpoint. */
    public static final int WORLD_SIZE_MAX = 1 << 20;

    private static final Pattern FORM = Pattern.compile("(\\d{1,7})/(\\d{1,7})");

    public Shard {
        if (rank < 0 || rank >= worldSize || worldSize > WORLD_SIZE_MAX) {
            throw new IllegalArgumentException(
                    "Invalid rank %d/%d: ranks count from 0, and there are 1 to %d of them"
                            .formatted(rank, worldSize, WORLD_SIZE_MAX));
        }
    }

    /** Reads {@code 3/8}. */
    public static Shard parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "Invalid rank '" + Names.printable(text) + "': write RANK/SIZE, such as 3/8");
        }
        return new Shard(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    @Override
    public String toString() {
        return rank + "/" + worldSize;
    }
}
