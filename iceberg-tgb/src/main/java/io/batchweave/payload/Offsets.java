package io.batchweave.payload;

import java.nio.ByteBuffer;

/**
 * The offsets by which a column's lists or byte strings are found, checked to rise wherever a value
 * is present.
 */
final class Offsets {
    private final ByteBuffer offsets;
    private final Slots slots;
    private long total;
    private int end;

    private Offsets(ByteBuffer offsets, Slots slots) {
        this.offsets = offsets;
        this.slots = slots;
    }

    /**
     * Checks the offsets of these slots.
     *
     * @param offsets little-endian, one more than the highest slot has
     * @throws io.batchweave.errors.InvalidRequestException if they fall, add up to more than
     *     offsets can count, or give a value of a tensor another size
     */
    static Offsets of(Column column, Slots slots, ByteBuffer offsets) {
        Offsets checked = new Offsets(offsets, slots);
        slots.forEachPresent((start, length) -> checked.add(column, start, length));
        if (checked.total > Integer.MAX_VALUE) {
            throw Content.refusal(
                    column,
                    "its slice holds "
                            + checked.total
                            + " elements or bytes of it, and offsets count to "
                            + Integer.MAX_VALUE
                            + "; make smaller slices");
        }
        return checked;
    }

    private void add(Column column, int start, int length) {
        int from = at(start);
        int to = from;
        for (int slot = start + 1; slot <= start + length; slot++) {
            int next = at(slot);
            if (next < to || from < 0) {
                throw Content.refusal(
                        column,
                        "its offsets fall from "
                                + to
                                + " to "
                                + next
                                + ", as they do when 32 bits overflow; make smaller slices");
            }
            if (column.size() > 0 && next - to != column.size()) {
                throw Content.refusal(
                        column,
                        "it is a tensor of %d %s, and one of its values has %d; give each its whole shape"
                                .formatted(column.size(), column.unit(), next - to));
            }
            to = next;
        }
        total += to - from;
        end = Math.max(end, to);
    }

    /** The offset at which a slot's value begins; that of the next is where it ends. */
    int at(int slot) {
        return offsets.getInt(slot * Integer.BYTES);
    }

    /** Elements or bytes of all values together. */
    long total() {
        return total;
    }

    /** One more than the highest element or byte referred to. */
    int end() {
        return end;
    }

    /** Writes them, counted from 0, as they would be if the values lay side by side. */
    void writeTo(Gather out) {
        out.putInt(0);
        slots.forEach(new Rebase(out));
    }

    private final class Rebase implements Slots.Visitor {
        private final Gather out;
        private int written;

        private Rebase(Gather out) {
            this.out = out;
        }

        @Override
        public void block(int start, int length, long present) {
            if (present != Slots.ALL) {
                writeSome(start, length, present);
            } else if (at(start) == written) {
                out.put(offsets, (start + 1) * Integer.BYTES, length * Integer.BYTES);
                written = at(start + length);
            } else {
                writeShifted(start, length);
            }
        }

        private void writeShifted(int start, int length) {
            int shift = written - at(start);
            for (int slot = start + 1; slot <= start + length; slot++) {
                out.putInt(at(slot) + shift);
            }
            written = at(start + length) + shift;
        }

        private void writeSome(int start, int length, long present) {
            for (int i = 0; i < length; i++) {
                int size = at(start + i + 1) - at(start + i);
                written += size & Bits.spread(present, i);
                out.putInt(written);
            }
        }
    }
}
