package io.batchweave.cli.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The windows of all epochs, computed from the sizes of the stretches of the inputs. Used by one
 * thread.
 */
public final class RowPlan {
    /** Most blocks that a stretch is cut into, and the fewest that a window is made of. */
    private static final int CUTS_MAX = 8;

    private final RowOrder order;
    private final long rows;
    private final long windows;
    private final List<Span> blocks;
    private int epoch = -1;

    /** The epoch's blocks in order. */
    private int[] ordered = {};

    /** How many rows of the epoch lie before each of them. */
    private long[] starts = {};

    /**
     * Plans.
     *
     * @param stretches the rows of each stretch of all inputs
     */
    public RowPlan(RowOrder order, long[] stretches) {
        this.order = order;
        this.rows = Arrays.stream(stretches).reduce(0, Math::addExact);
        long most = order.mixing().window();
        this.windows = order.parts() * quotientUp(rows, most * order.parts());
        this.blocks = blocks(stretches);
    }

    /** The rows of all inputs together. */
    public long rows() {
        return rows;
    }

    /** How many windows an epoch has, a multiple of the number of parts. */
    public long windows() {
        return windows;
    }

    /** How many rows a window has; none where there is no such window. */
    public int rows(long window) {
        return window < windows ? (int) (start(window + 1) - start(window)) : 0;
    }

    /** Where the rows of a window lie, in the order of the epoch's blocks. */
    public List<Span> spans(int number, long window) {
        if (epoch != number) {
            begin(number);
        }
        long from = start(window);
        long to = start(window + 1);
        List<Span> spans = new ArrayList<>();
        for (int at = blockAt(from); at < ordered.length; at++) {
            long start = starts[at];
            if (start >= to) {
                break;
            }
            Span block = blocks.get(ordered[at]);
            long before = Math.max(0, from - start);
            long end = Math.min(block.rows(), to - start);
            spans.add(block.first(end).without(before));
        }
        return spans;
    }

    /** The order of the rows within a window, as indices into its spans laid end to end. */
    public int[] permutation(int number, long window) {
        return random(rows(window), number, window);
    }

    /** A random order, the same for the same keys. */
    private int[] random(int count, long... keys) {
        if (!(order.mixing() instanceof Mixing.Shuffled shuffled)) {
            throw new IllegalStateException("Only rows that are shuffled have a random order");
        }
        long[] all =
                LongStream.concat(LongStream.of(shuffled.seed()), LongStream.of(keys)).toArray();
        return new SplitMix64(all).permutation(count);
    }

    private List<Span> blocks(long[] stretches) {
        List<Span> cut = new ArrayList<>();
        long window = windows == 0 ? 1 : quotientUp(rows, windows);
        for (int stretch = 0; stretch < stretches.length; stretch++) {
            long size = stretches[stretch];
            long count = order.isShuffled() ? quotientUp(CUTS_MAX * size, window) : 1;
            cut(new Span(stretch, 0, size), Math.min(CUTS_MAX, count), cut);
        }
        return cut;
    }

    private static void cut(Span stretch, long count, List<Span> blocks) {
        long from = 0;
        for (long i = 0; i < count; i++) {
            long size = stretch.rows() / count + (i < stretch.rows() % count ? 1 : 0);
            if (size > 0) {
                blocks.add(new Span(stretch.stretch(), from, size));
            }
            from += size;
        }
    }

    private void begin(int number) {
        epoch = number;
        ordered =
                order.isShuffled()
                        ? random(blocks.size(), number)
                        : SplitMix64.identity(blocks.size());
        starts = new long[ordered.length];
        long before = 0;
        for (int i = 0; i < ordered.length; i++) {
            starts[i] = before;
            before += blocks.get(ordered[i]).rows();
        }
    }

    private int blockAt(long row) {
        int found = Arrays.binarySearch(starts, row);
        return found >= 0 ? found : -found - 2;
    }

    private long start(long window) {
        return window * (rows / windows) + Math.min(window, rows % windows);
    }

    private static long quotientUp(long rows, long size) {
        return rows / size + (rows % size == 0 ? 0 : 1);
    }
}
