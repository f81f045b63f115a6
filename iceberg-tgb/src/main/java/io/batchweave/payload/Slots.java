package io.batchweave.payload;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/**
 * The slots of a vector that belong to a slice, in order, and which of them hold a value.
 *
 * <p>A slot of a struct's child holds a value only if the struct does, and the elements of a null
 * list belong to nothing. So what lies under a null, whatever it is, is never seen. Nothing is
 * stored per slot: they are found again each time they are asked for.
 */
final class Slots {
    /** Says of a block that each of its slots holds a value. */
    static final long ALL = -1;

    /** Takes slots that lie side by side. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Takes one block; it is not empty.
         *
         * @param length any number if all hold a value, otherwise at most 64
         * @param present {@link #ALL}, or a bit for each, lowest first, and zeros beyond
         */
        void block(int start, int length, long present);
    }

    /** Takes slots that lie side by side and all hold a value. */
    @FunctionalInterface
    interface Run {
        void run(int start, int length);
    }

    private final Source source;
    private final List<ByteBuffer> masks;
    private long count;
    private long absent;
    private int end;

    private Slots(Source source, List<ByteBuffer> masks) {
        this.source = source;
        this.masks = masks;
        forEach(
                (start, length, present) -> {
                    count += length;
                    absent += present == ALL ? 0 : length - Long.bitCount(present);
                    end = Math.max(end, start + length);
                });
    }

    /** The first {@code count} slots of a vector, each with a value so far as is known. */
    static Slots first(int count) {
        return new Slots(run -> run.run(0, count), List.of());
    }

    /** The same slots, of which those hold no value whose bit is not set. */
    Slots masked(ByteBuffer validity) {
        return new Slots(source, Stream.concat(masks.stream(), Stream.of(validity)).toList());
    }

    /** The child's slots that these slots, being lists, refer to. */
    Slots elements(Offsets offsets) {
        Source elements =
                run ->
                        forEachPresent(
                                (start, length) -> {
                                    int from = offsets.at(start);
                                    run.run(from, offsets.at(start + length) - from);
                                });
        return new Slots(elements, List.of());
    }

    /** How many there are. */
    long count() {
        return count;
    }

    /** How many hold no value. */
    long absent() {
        return absent;
    }

    /** One more than the highest, 0 if there is none. */
    int end() {
        return end;
    }

    /** Visits all of them in order. */
    void forEach(Visitor visitor) {
        source.forEach((start, length) -> visit(start, length, visitor));
    }

    private void visit(int start, int length, Visitor visitor) {
        if (length > 0 && masks.isEmpty()) {
            visitor.block(start, length, ALL);
            return;
        }
        for (int left = length; left > 0; left -= Long.SIZE) {
            int at = start + length - left;
            int size = Math.min(left, Long.SIZE);
            long within = ALL >>> (Long.SIZE - size);
            long present = presence(at) & within;
            visitor.block(at, size, present == within ? ALL : present);
        }
    }

    /** Visits those that hold a value, in order. */
    void forEachPresent(Run run) {
        forEach(
                (start, length, present) -> {
                    if (present == ALL) {
                        run.run(start, length);
                    } else {
                        split(start, present, run);
                    }
                });
    }

    private static void split(int start, long present, Run run) {
        long left = present;
        int at = start;
        while (left != 0) {
            int skipped = Long.numberOfTrailingZeros(left);
            int length = Long.numberOfTrailingZeros(~(left >>> skipped));
            run.run(at + skipped, length);
            at += skipped + length;
            // In two steps, as a shift by 64 is one by 0; all 64 together would be ALL.
            left = left >>> skipped >>> length;
        }
    }

    private long presence(int from) {
        long word = ALL;
        for (ByteBuffer mask : masks) {
            word &= Bits.load(mask, from);
        }
        return word;
    }

    private interface Source {
        void forEach(Run run);
    }
}
