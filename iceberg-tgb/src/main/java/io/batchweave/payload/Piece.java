package io.batchweave.payload;

import java.nio.ByteBuffer;

/**
 * One buffer of a column in canonical form: only what belongs to the slice, from the first byte on,
 * zero where there is no value. Its bytes are read off the vector when they are written.
 */
sealed interface Piece {
    /** Bytes, without padding. */
    long length();

    void writeTo(Gather out);

    /** No buffer at all: stands for the validity of a column without nulls. */
    record Nothing() implements Piece {
        @Override
        public long length() {
            return 0;
        }

        @Override
        public void writeTo(Gather out) {}
    }

    /** A bit for every slot: whether it holds a value. */
    record Presence(Slots slots) implements Piece {
        @Override
        public long length() {
            return (slots.count() + 7) / 8;
        }

        @Override
        public void writeTo(Gather out) {
            BitPacker bits = new BitPacker(out);
            slots.forEach(
                    (start, length, present) -> {
                        if (present == Slots.ALL) {
                            bits.fill(length);
                        } else {
                            bits.append(present, length);
                        }
                    });
            bits.finish();
        }
    }

    /** The values of booleans. */
    record Booleans(Slots slots, ByteBuffer values) implements Piece {
        @Override
        public long length() {
            return (slots.count() + 7) / 8;
        }

        @Override
        public void writeTo(Gather out) {
            BitPacker bits = new BitPacker(out);
            slots.forEach(
                    (start, length, present) -> {
                        if (present == Slots.ALL) {
                            bits.copy(values, start, length);
                        } else {
                            bits.append(Bits.load(values, start) & present, length);
                        }
                    });
            bits.finish();
        }
    }

    /** Values of {@code width} bytes each. */
    record Fixed(Slots slots, ByteBuffer values, int width) implements Piece {
        @Override
        public long length() {
            return slots.count() * width;
        }

        @Override
        public void writeTo(Gather out) {
            slots.forEach(
                    (start, length, present) -> {
                        if (present == Slots.ALL) {
                            out.put(values, start * width, length * width);
                        } else {
                            writeSome(out, start, length, present);
                        }
                    });
        }

        private void writeSome(Gather out, int start, int length, long present) {
            for (int i = 0; i < length; i++) {
                int from = (start + i) * width;
                int mask = Bits.spread(present, i);
                switch (width) {
                    case Integer.BYTES -> out.putInt(values.getInt(from) & mask);
                    case Long.BYTES -> out.putLong(values.getLong(from) & mask);
                    default -> {
                        if (mask == 0) {
                            out.zeros(width);
                        } else {
                            out.put(values, from, width);
                        }
                    }
                }
            }
        }
    }

    /** Where lists or byte strings begin and end, counted from 0; those absent have no length. */
    record Ends(Slots slots, Offsets offsets) implements Piece {
        @Override
        public long length() {
            return (slots.count() + 1) * Integer.BYTES;
        }

        @Override
        public void writeTo(Gather out) {
            offsets.writeTo(out);
        }
    }

    /** Byte strings, one right after the other. */
    record Strings(Slots slots, Offsets offsets, ByteBuffer values) implements Piece {
        @Override
        public long length() {
            return offsets.total();
        }

        @Override
        public void writeTo(Gather out) {
            slots.forEachPresent(
                    (start, length) -> {
                        int from = offsets.at(start);
                        out.put(values, from, offsets.at(start + length) - from);
                    });
        }
    }
}
