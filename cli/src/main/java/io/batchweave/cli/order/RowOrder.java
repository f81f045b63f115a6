package io.batchweave.cli.order;

import io.batchweave.errors.InvalidRequestException;

/**
 * Which rows are given out, how often and in what order; fixed once something has been ingested.
 *
 * @param epochs how often each row is given out, from 1
 * @param part which of the parts, from 1
 * @param parts into how many parts the rows are dealt, each row to one
 */
public record RowOrder(int epochs, Mixing mixing, int part, int parts) {
    /** Every row once, in the order of the inputs. */
    public static final RowOrder AS_GIVEN = inOrder(1, 1, 1);

    /** Most parts. */
    public static final int PARTS_MAX = 1 << 16;

    public RowOrder {
        if (epochs < 1) {
            throw new IllegalArgumentException(
                    "Invalid order of " + epochs + " epochs: use 1 epoch or more");
        }
        if (part < 1 || part > parts || parts > PARTS_MAX) {
            throw new IllegalArgumentException(
                    "Invalid part "
                            + part
                            + "/"
                            + parts
                            + ": use 1/N to N/N, with N up to "
                            + PARTS_MAX);
        }
    }

    /** In the order of the inputs. */
    public static RowOrder inOrder(int epochs, int part, int parts) {
        return new RowOrder(epochs, new Mixing.InOrder(), part, parts);
    }

    /** In random order, another in each epoch. */
    public static RowOrder shuffled(int epochs, long seed, int window, int part, int parts) {
        return new RowOrder(epochs, new Mixing.Shuffled(seed, window), part, parts);
    }

    public boolean isShuffled() {
        return mixing instanceof Mixing.Shuffled;
    }

    /** Whether it is the order of the inputs, which needs no look at all of them first. */
    public boolean isAsGiven() {
        return equals(AS_GIVEN);
    }

    /**
     * Refuses another order than that of what is committed.
     *
     * @throws InvalidRequestException with both values
     */
    public void checkSame(RowOrder committed) {
        mixing.checkSame(committed.mixing());
        Unchanged.check("epochs", committed.epochs(), epochs);
        Unchanged.check("part", committed.share(), share());
    }

    private String share() {
        return part + "/" + parts;
    }
}
