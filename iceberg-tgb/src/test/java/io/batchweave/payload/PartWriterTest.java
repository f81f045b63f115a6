package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.model.Slice;
import io.batchweave.model.SliceGrid;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PartWriterTest {
    private static final Type INT = Types.IntegerType.get();
    private static final Type LIST = Types.ListType.ofRequired(3, INT);

    private final BufferAllocator allocator = new RootAllocator();
    private final MemoryUpload upload = new MemoryUpload();

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    @Test
    @Tag("PAYLOAD-2")
    @Tag("PAYLOAD-5")
    void theBytesOfAPartStayWhatTheyWere() {
        try (VectorSchemaRoot slice = Tokens.of(allocator, 3)) {
            Written written = Written.of(PayloadSchema.tokens(), slice);
            assertThat(written.part().digest().toHex())
                    .isEqualTo("670ddac76964a2adc3a2742125e38772d4685f3c9a043af5ad1bf0a212c476a0");
        }
    }

    @ParameterizedTest
    @MethodSource("otherSchemas")
    @Tag("PAYLOAD-6")
    void aSliceOfAnotherSchemaIsRefused(List<NestedField> fields, String message) {
        PartWriter writer = new PartWriter(upload, schema(required(1, "a", INT), column(LIST)));
        org.apache.arrow.vector.types.pojo.Schema other =
                PayloadSchema.of(new Schema(fields)).arrow();
        try (VectorSchemaRoot slice = VectorSchemaRoot.create(other, allocator)) {
            assertRefused(writer, slice, message);
        }
    }

    static Stream<Arguments> otherSchemas() {
        NestedField a = required(1, "a", INT);
        return Stream.of(
                Arguments.of(
                        List.of(a),
                        "Cannot take column b (field id 2): the slice does not have it; add it"),
                Arguments.of(
                        List.of(a, column(LIST), required(4, "c", INT)),
                        "Cannot take slice: it has the column c (field id 4), which the schema does"
                                + " not; leave it out"),
                Arguments.of(
                        List.of(column(LIST), a),
                        "Cannot take column a (field id 1): in its place the slice has b (field id"
                                + " 2); build slices from the Arrow schema of the dataset"),
                Arguments.of(
                        List.of(required(1, "a", Types.LongType.get()), column(LIST)),
                        "Cannot take column a (field id 1): its type is Int(32, true) and in the"
                                + " slice Int(64, true); convert it"),
                Arguments.of(
                        List.of(a, column(Types.ListType.ofRequired(7, INT))),
                        "Cannot take column b.element (field id 3): in its place the slice has"
                                + " $data$ (field id 7); build slices from the Arrow schema of the"
                                + " dataset"));
    }

    @Test
    @Tag("PAYLOAD-9")
    void aColumnWithoutAFieldIdIsRefused() {
        PartWriter writer = new PartWriter(upload, schema(required(1, "a", INT)));
        try (IntVector vector = new IntVector("a", allocator)) {
            assertRefused(
                    writer,
                    VectorSchemaRoot.of(vector),
                    "Cannot take column a (field id 1): in its place the slice has a without a"
                            + " field id (PARQUET:field_id); build slices from the Arrow schema of"
                            + " the dataset");
        }
    }

    @Test
    @Tag("PAYLOAD-9")
    void namesAreNoMatter() {
        PartWriter writer = new PartWriter(upload, schema(required(1, "a", INT)));
        PayloadSchema renamed = schema(required(1, "b", INT));
        try (VectorSchemaRoot slice = VectorSchemaRoot.create(renamed.arrow(), allocator)) {
            writer.write(slice);
            assertThat(writer.finish().slices()).hasSize(1);
        }
    }

    @Test
    @Tag("PAYLOAD-6")
    void aMissingValueOfARequiredFieldIsRefused() {
        PayloadSchema schema = schema(required(1, "a", INT), column(LIST));
        PartWriter writer = new PartWriter(upload, schema);
        List<List<Object>> rows = new ArrayList<>();
        for (int row = 0; row < 3; row++) {
            List<Object> list = new ArrayList<>(List.of(new byte[4], new byte[4]));
            list.set(1, row == 1 ? null : list.get(1));
            rows.add(List.of(new byte[4], list));
        }
        try (VectorSchemaRoot slice = Vectors.of(schema, allocator, rows)) {
            assertRefused(
                    writer,
                    slice,
                    "Cannot take column b.element (field id 3): it is required and 1 of its values"
                            + " are null; fill them");
        }
    }

    @Test
    @Tag("PAYLOAD-6")
    void aVectorOfOtherRowsIsRefused() {
        PartWriter writer = new PartWriter(upload, PayloadSchema.tokens());
        try (VectorSchemaRoot slice = Tokens.of(allocator, 3)) {
            slice.getVector("valid").setValueCount(2);
            assertRefused(
                    writer,
                    slice,
                    "Cannot take column valid (field id 2): its vector holds 2 rows and the slice"
                            + " 3; set the row count");
        }
    }

    @Test
    @Tag("PAYLOAD-6")
    void aVectorTooShortForWhatRefersToItIsRefused() {
        PartWriter writer = new PartWriter(upload, PayloadSchema.tokens());
        try (VectorSchemaRoot slice = Tokens.of(allocator, 3)) {
            ((ListVector) slice.getVector("tokens")).getDataVector().setValueCount(11);
            assertRefused(
                    writer,
                    slice,
                    "Cannot take column tokens.element (field id 4): 12 values are referred to, and"
                            + " its vector holds 11; set its value count");
        }
    }

    @Test
    @Tag("PAYLOAD-6")
    void offsetsThatOverflowedAreRefused() {
        PayloadSchema schema = schema(required(1, "a", Types.StringType.get()));
        PartWriter writer = new PartWriter(upload, schema);
        try (VectorSchemaRoot slice = VectorSchemaRoot.create(schema.arrow(), allocator)) {
            VarCharVector vector = (VarCharVector) slice.getVector("a");
            vector.setSafe(0, new byte[5]);
            vector.setSafe(1, new byte[5]);
            vector.setSafe(2, new byte[5]);
            slice.setRowCount(3);
            vector.getOffsetBuffer().setInt(4, 11);
            assertRefused(
                    writer,
                    slice,
                    "Cannot take column a (field id 1): its offsets fall from 11 to 10, as they do"
                            + " when 32 bits overflow; make smaller slices");
            vector.getOffsetBuffer().setInt(0, Integer.MIN_VALUE);
            assertRefused(
                    writer,
                    slice,
                    "Cannot take column a (field id 1): its offsets fall from -2147483648 to 11, as"
                            + " they do when 32 bits overflow; make smaller slices");
        }
    }

    @Test
    @Tag("PAYLOAD-4")
    void aSliceAboveTheLimitIsRefusedBeforeAnythingIsWritten() {
        List<NestedField> fields = new ArrayList<>();
        for (int id = 0; id < 16; id++) {
            fields.add(required(id, "c" + id, Types.LongType.get()));
        }
        PayloadSchema schema = PayloadSchema.of(new Schema(fields));
        int rows = 1 << 23;
        try (ArrowBuf values = allocator.buffer(8L * rows);
                ArrowBuf ones = allocator.buffer(rows / 8);
                VectorSchemaRoot slice = VectorSchemaRoot.create(schema.arrow(), allocator)) {
            ones.setOne(0L, rows / 8);
            for (FieldVector vector : slice.getFieldVectors()) {
                vector.loadFieldBuffers(new ArrowFieldNode(rows, 0), List.of(ones, values));
            }
            slice.setRowCount(rows);
            assertRefused(
                    new PartWriter(upload, schema),
                    slice,
                    "Cannot write a slice of 1073742720 bytes: a slice has at most 1073741824; use"
                            + " a finer grid or fewer rows");
        }
    }

    /** A refusal is clear, costs nothing, and the next slice can be written. */
    private void assertRefused(PartWriter writer, VectorSchemaRoot slice, String message) {
        long before = writer.length();
        assertThatThrownBy(() -> writer.write(slice))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(message);
        assertThat(writer.length()).isEqualTo(before);
        assertThat(upload.body()).isEmpty();
        assertThatThrownBy(writer::finish)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Cannot finish a part: it holds no slice; write one");
    }

    @Test
    void aFinishedPartTakesNothing() {
        PartWriter writer = new PartWriter(upload, PayloadSchema.tokens());
        try (VectorSchemaRoot slice = Tokens.of(allocator, 1)) {
            writer.write(slice);
            long before = writer.length();
            long length = writer.finish().length();
            assertThat(length).isGreaterThan(before).isEqualTo(writer.length());
            assertThatThrownBy(() -> writer.write(slice))
                    .isInstanceOf(InvalidRequestException.class);
            assertThatThrownBy(writer::finish).isInstanceOf(InvalidRequestException.class);
            assertThat(upload.body()).hasSize((int) length);
        }
    }

    @Test
    void aPartOfWhichAWriteFailedTakesNothing() {
        Sink broken = new Sink();
        broken.bytesMax = 100;
        PartWriter writer = new PartWriter(broken, PayloadSchema.tokens());
        try (VectorSchemaRoot slice = Tokens.of(allocator, 1)) {
            assertThatThrownBy(() -> writer.write(slice)).isInstanceOf(UnavailableException.class);
            broken.bytesMax = Long.MAX_VALUE;
            assertThatThrownBy(() -> writer.write(slice))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("an earlier write of it failed");
        }
    }

    @Test
    @Tag("PAYLOAD-4")
    void aPartHasNoMoreSlicesThanAGridCanHave() {
        PartWriter writer = new PartWriter(new Sink(), PayloadSchema.tokens());
        try (VectorSchemaRoot slice = Tokens.of(allocator, 0)) {
            for (int i = 0; i < SliceGrid.SLICES_MAX; i++) {
                writer.write(slice);
            }
            assertThatThrownBy(() -> writer.write(slice))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage("Cannot write a slice: the part is full; start another");
            assertThat(writer.finish().slices()).hasSize(SliceGrid.SLICES_MAX);
        }
    }

    @Test
    void largeBuffersArriveWhole() {
        PayloadSchema tokens = PayloadSchema.tokens();
        try (VectorSchemaRoot slice = Tokens.of(allocator, 20_000)) {
            Written written = Written.of(tokens, slice);
            Slice at = written.slice(0);
            SliceReader.verify(ByteBuffer.wrap(written.bytes(at)), at, Written.OBJECT);
            try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at));
                    VectorSchemaRoot read =
                            new SliceReader(tokens, allocator).read(bytes, at, Written.OBJECT)) {
                assertThat(read.equals(slice)).isTrue();
            }
        }
    }

    @Test
    void writingAllocatesNothingThatGrowsWithTheSlice() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rows = 1 << 20;
        try (VectorSchemaRoot slice = Tokens.of(allocator, rows)) {
            Sink sink = new Sink();
            PartWriter writer = new PartWriter(sink, PayloadSchema.tokens());
            writer.write(slice);
            long before = threads.getCurrentThreadAllocatedBytes();
            writer.write(slice);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            Slice written = writer.finish().slices().get(1);
            assertThat(written.length()).isGreaterThan(rows * 4L * (Tokens.LENGTH + 3));
            assertThat(allocated).isLessThan(written.length() / 100);
            assertThat(sink.bytes).isEqualTo(writer.length());
        }
    }

    private static PayloadSchema schema(NestedField... fields) {
        return PayloadSchema.of(new Schema(fields));
    }

    private static NestedField required(int id, String name, Type type) {
        return NestedField.required(id, name, type);
    }

    private static NestedField column(Type type) {
        return NestedField.required(2, "b", type);
    }

    /** Counts bytes and keeps none; fails at a limit. */
    private static final class Sink implements Upload {
        private long bytes;
        private long bytesMax = Long.MAX_VALUE;

        @Override
        public void write(ByteBuffer taken) {
            bytes += taken.remaining();
            if (bytes > bytesMax) {
                throw new UnavailableException("Cannot write: the store is gone");
            }
        }

        @Override
        public Creation complete() {
            throw new AssertionError("A writer does not complete its upload");
        }

        @Override
        public void close() {}
    }
}
