package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.cells.Cells;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.StructVector;

/** Copies of what holds other vectors. */
final class ArrowNested {
    private ArrowNested() {}

    /** Side by side. */
    record Fields(List<ArrowCopy> copies) implements ArrowCopy {
        @Override
        public void copy(int index) {
            for (ArrowCopy each : copies) {
                each.copy(index);
            }
        }

        @Override
        public void check(int count) {
            copies.forEach(each -> each.check(count));
        }
    }

    /** A column of type null. */
    record Nulls(Cells target) implements ArrowCopy {
        @Override
        public void copy(int index) {
            target.nothing();
        }

        @Override
        public void check(int count) {
            // It has no memory that could be too small.
        }
    }

    /** Structs. */
    record Struct(StructVector source, Cells target, ArrowCopy fields) implements ArrowCopy {
        @Override
        public void copy(int index) {
            if (source.isNull(index)) {
                target.nothing();
                return;
            }
            target.open();
            fields.copy(index);
            target.close();
        }

        @Override
        public void check(int count) {
            ArrowValues.checkCount(source, count, target);
            fields.check(count);
        }
    }

    /** Lists and maps, with one child or two. */
    record Lists(FieldVector source, Cells target, List<ArrowCopy> children) implements ArrowCopy {
        @Override
        public void copy(int index) {
            if (source.isNull(index)) {
                target.nothing();
                return;
            }
            target.open();
            int end = end(index);
            for (int at = start(index); at < end; at++) {
                for (ArrowCopy child : children) {
                    child.copy(at);
                }
            }
            target.close();
        }

        private int start(int index) {
            if (source instanceof FixedSizeListVector fixed) {
                return index * fixed.getListSize();
            }
            return offset(index);
        }

        private int end(int index) {
            if (source instanceof FixedSizeListVector fixed) {
                return (index + 1) * fixed.getListSize();
            }
            return offset(index + 1);
        }

        private int offset(int index) {
            ArrowBuf offsets = source.getOffsetBuffer();
            return source instanceof LargeListVector
                    ? Math.toIntExact(offsets.getLong((long) index * Long.BYTES))
                    : offsets.getInt((long) index * Integer.BYTES);
        }

        @Override
        public void check(int count) {
            ArrowValues.checkCount(source, count, target);
            int elements = source.getChildrenFromFields().get(0).getValueCount();
            if (source instanceof FixedSizeListVector fixed) {
                if ((long) count * fixed.getListSize() > elements) {
                    throw target.refusal("its lists have fewer elements than they say");
                }
            } else if (count > 0) {
                ArrowValues.checkOffsets(this::offset, count, elements, target);
            }
            children.forEach(child -> child.check(elements));
        }
    }

    /** Indices into a dictionary. */
    record Decoded(
            FieldVector source,
            BaseIntVector indices,
            FieldVector values,
            ArrowCopy copy,
            Cells target)
            implements ArrowCopy {
        @Override
        public void copy(int index) {
            if (source.isNull(index)) {
                target.nothing();
                return;
            }
            long at = indices.getValueAsLong(index);
            if (at < 0 || at >= values.getValueCount()) {
                throw target.refusal(
                        "its index "
                                + at
                                + " is not in the dictionary of "
                                + values.getValueCount()
                                + " values");
            }
            copy.copy((int) at);
        }

        @Override
        public void check(int count) {
            ArrowValues.checkFixed(source, count, target);
            copy.check(values.getValueCount());
        }
    }
}
