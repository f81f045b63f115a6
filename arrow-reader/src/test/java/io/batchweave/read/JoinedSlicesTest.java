package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.model.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several slices are one record batch, which owns its memory. */
class JoinedSlicesTest {
    private static final ArrowType INT = new ArrowType.Int(32, true);
    private static final Schema SCHEMA =
            new Schema(
                    List.of(
                            Field.notNullable("id", INT),
                            Field.nullable("text", new ArrowType.Utf8()),
                            new Field(
                                    "ids",
                                    FieldType.nullable(new ArrowType.List()),
                                    List.of(Field.notNullable("element", INT)))));

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    private SliceBatch slice(int index, int first, int rows) {
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
        UnionListWriter lists = ((ListVector) root.getVector("ids")).getWriter();
        for (int row = 0; row < rows; row++) {
            int id = first + row;
            ((IntVector) root.getVector("id")).setSafe(row, id);
            if (id % 3 != 0) {
                ((VarCharVector) root.getVector("text")).setSafe(row, new Text("row " + id));
            }
            lists.setPosition(row);
            lists.startList();
            IntStream.range(0, id % 5).forEach(lists::writeInt);
            lists.endList();
        }
        root.setRowCount(rows);
        return new SliceBatch(index, new Slice(64, 64, rows, 0), root);
    }

    @Test
    void allRowsAreThereInOrderAndOutliveTheSlices() {
        List<SliceBatch> slices =
                List.of(slice(0, 0, 7), slice(1, 7, 0), slice(2, 7, 1_000), slice(3, 1_007, 1));
        VectorSchemaRoot joined = JoinedSlices.of(slices, allocator);
        slices.forEach(slice -> slice.rows().close());

        try (joined) {
            assertThat(joined.getRowCount()).isEqualTo(1_008);
            List<Object> texts = new ArrayList<>();
            for (int row = 0; row < joined.getRowCount(); row++) {
                assertThat(joined.getVector("id").getObject(row)).isEqualTo(row);
                Object text = row % 3 == 0 ? null : new Text("row " + row);
                assertThat(joined.getVector("text").getObject(row)).isEqualTo(text);
                assertThat(joined.getVector("ids").getObject(row))
                        .isEqualTo(IntStream.range(0, row % 5).boxed().toList());
                texts.add(text);
            }
            assertThat(texts).contains((Object) null);
        }
    }

    @Test
    void whatDoesNotFitLeavesNothingBehind() {
        SliceBatch slice = slice(0, 0, 100);
        try (BufferAllocator small = allocator.newChildAllocator("small", 0, 64)) {
            assertThatThrownBy(() -> JoinedSlices.of(List.of(slice, slice), small))
                    .isInstanceOf(OutOfMemoryException.class);
        }
        slice.rows().close();
    }
}
