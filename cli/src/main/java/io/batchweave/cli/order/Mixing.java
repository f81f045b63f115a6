package io.batchweave.cli.order;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.batchweave.errors.InvalidRequestException;

/** Whether rows are given out in another order than that of the inputs; in JSON its fields tell. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({@JsonSubTypes.Type(Mixing.InOrder.class), @JsonSubTypes.Type(Mixing.Shuffled.class)})
public sealed interface Mixing {
    /** Rows in a window if nothing else is said. */
    int WINDOW_DEFAULT = 1 << 16;

    /** Most rows in a window. */
    int WINDOW_MAX = 1 << 26;

    /** The rows of a window, all of which are at hand before the first is given out. */
    int window();

    /** In the order of the inputs, without a seed. */
    record InOrder() implements Mixing {
        @Override
        public int window() {
            return WINDOW_DEFAULT;
        }
    }

    /**
     * In random order.
     *
     * @param seed of the order
     * @param window rows that are shuffled among each other, and in memory
     */
    record Shuffled(long seed, int window) implements Mixing {
        public Shuffled {
            if (window < 1 || window > WINDOW_MAX) {
                throw new IllegalArgumentException(
                        "Invalid windows of " + window + " rows: use 1 to " + WINDOW_MAX);
            }
        }
    }

    /**
     * Refuses another than that of what is committed.
     *
     * @throws InvalidRequestException with both values
     */
    default void checkSame(Mixing committed) {
        if (this instanceof Shuffled now && committed instanceof Shuffled before) {
            Unchanged.check("shuffle", before.seed(), now.seed());
            Unchanged.check("shuffle-window", before.window(), now.window());
        } else {
            Unchanged.check("shuffle", told(committed), told(this));
        }
    }

    private static Object told(Mixing mixing) {
        return mixing instanceof Shuffled shuffled ? shuffled.seed() : Unchanged.NOT_GIVEN;
    }
}
