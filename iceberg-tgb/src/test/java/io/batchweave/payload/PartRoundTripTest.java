package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Slice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;

/** Slices of any schema and content, written and read again. */
class PartRoundTripTest {
    @Provide
    Arbitrary<RandomSlice> slices() {
        return Arbitraries.longs().map(RandomSlice::new);
    }

    @Property(tries = 300)
    @Tag("PAYLOAD-1")
    void anyArrowReaderFindsTheRows(@ForAll("slices") RandomSlice slice) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root, root);
            try (ArrowFileReader file = fileReader(written, allocator)) {
                assertThat(file.getVectorSchemaRoot().getSchema())
                        .isEqualTo(slice.schema().arrow());
                List<ArrowBlock> blocks = file.getRecordBlocks();
                assertThat(blocks).hasSize(2);
                for (int i = 0; i < 2; i++) {
                    file.loadRecordBatch(blocks.get(i));
                    assertHolds(file.getVectorSchemaRoot(), slice);
                    assertThat(blocks.get(i).getOffset()).isEqualTo(written.slice(i).offset());
                    assertThat(blocks.get(i).getMetadataLength() + blocks.get(i).getBodyLength())
                            .isEqualTo(written.slice(i).length());
                }
            }
        }
    }

    @Property(tries = 50)
    @Tag("PAYLOAD-1")
    void betweenItsMagicsAPartIsAStream(@ForAll("slices") RandomSlice slice) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            byte[] body = Written.of(slice.schema(), root).body();
            ByteArrayInputStream stream = new ByteArrayInputStream(body, 8, body.length - 8);
            try (ArrowStreamReader reader = new ArrowStreamReader(stream, allocator)) {
                assertThat(reader.loadNextBatch()).isTrue();
                assertHolds(reader.getVectorSchemaRoot(), slice);
                assertThat(reader.loadNextBatch()).isFalse();
            }
        }
    }

    @Property(tries = 300)
    void readingCopiesNothing(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root);
            Slice at = written.slice(0);
            ArrowBuf bytes = Written.aligned(allocator, written.bytes(at));
            SliceReader reader = new SliceReader(slice.schema(), allocator);
            try (VectorSchemaRoot read = reader.read(bytes, at, Written.OBJECT)) {
                bytes.close();
                assertHolds(read, slice);
                long first = bytes.memoryAddress();
                assertThat(Vectors.buffers(read))
                        .allSatisfy(
                                buffer ->
                                        assertThat(buffer.memoryAddress())
                                                .isBetween(first, first + at.length())
                                                .matches(address -> address % 64 == 0));
            }
        }
    }

    @Property(tries = 300)
    @Tag("PAYLOAD-2")
    void messagesBodiesAndBuffersAreAligned(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root, root);
            for (Slice at : written.part().slices()) {
                assertThat(at.offset() % 64).isZero();
                assertThat(at.length() % 64).isZero();
                assertBuffersAreAlignedAndPadded(ByteBuffer.wrap(written.bytes(at)));
            }
        }
    }

    private static void assertBuffersAreAlignedAndPadded(ByteBuffer bytes) {
        int metadata = Integer.reverseBytes(bytes.getInt(4));
        assertThat((8 + metadata) % 64).isZero();
        ByteBuffer body = bytes.slice(8 + metadata, bytes.limit() - 8 - metadata);
        Message message = Message.getRootAsMessage(bytes.slice(8, metadata));
        RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
        int end = 0;
        for (int i = 0; i < batch.buffersLength(); i++) {
            Buffer buffer = batch.buffers(i);
            assertThat(buffer.offset()).isEqualTo(end);
            end = (int) (buffer.offset() + buffer.length());
            for (; end % 64 != 0; end++) {
                assertThat(body.get(end)).isZero();
            }
        }
        assertThat(end).isEqualTo(body.limit()).isEqualTo((int) message.bodyLength());
    }

    @Property(tries = 500)
    @Tag("PAYLOAD-5")
    void equalContentGivesEqualBytes(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot plain = Vectors.of(slice.schema(), allocator, slice.rows());
                VectorSchemaRoot junk = Vectors.withJunk(slice, allocator);
                VectorSchemaRoot middle = Vectors.fromTheMiddle(slice, allocator)) {
            Written written = Written.of(slice.schema(), plain);
            assertThat(Written.of(slice.schema(), junk).body()).isEqualTo(written.body());
            assertThat(Written.of(slice.schema(), middle).body()).isEqualTo(written.body());
        }
    }

    @Property(tries = 100)
    @Tag("PAYLOAD-5")
    void whatWasReadIsWrittenAlike(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root);
            Slice at = written.slice(0);
            try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at));
                    VectorSchemaRoot read =
                            new SliceReader(slice.schema(), allocator)
                                    .read(bytes, at, Written.OBJECT)) {
                assertThat(Written.of(slice.schema(), read).body()).isEqualTo(written.body());
            }
        }
    }

    @Property(tries = 100)
    @Tag("PAYLOAD-7")
    void digestsAreThoseOfTheBytes(@ForAll("slices") RandomSlice slice) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root, root);
            assertThat(written.part().length()).isEqualTo(written.body().length);
            assertThat(written.part().digest())
                    .isEqualTo(Bytes.copyOf(Bytes.sha256().digest(written.body())));
            for (Slice at : written.part().slices()) {
                assertThat(at.rows()).isEqualTo(slice.rows().size());
                SliceReader.verify(ByteBuffer.wrap(written.bytes(at)), at, Written.OBJECT);
            }
        }
    }

    @Property(tries = 300)
    @Tag("PAYLOAD-7")
    void anyChangedByteIsFound(
            @ForAll("slices") RandomSlice slice, @ForAll int place, @ForAll byte change) {
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            Written written = Written.of(slice.schema(), root);
            Slice at = written.slice(0);
            byte[] bytes = written.bytes(at);
            bytes[Math.floorMod(place, bytes.length)] ^= change == 0 ? 1 : change;
            assertThatThrownBy(() -> SliceReader.verify(ByteBuffer.wrap(bytes), at, Written.OBJECT))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining(Written.OBJECT)
                    .hasMessageContaining("%08x".formatted(at.crc32c()));
        }
    }

    private static ArrowFileReader fileReader(Written written, BufferAllocator allocator) {
        return new ArrowFileReader(
                new SeekableReadChannel(new ByteArrayReadableSeekableByteChannel(written.body())),
                allocator);
    }

    private static void assertHolds(VectorSchemaRoot root, RandomSlice slice) {
        List<Object> rows = new ArrayList<>(Vectors.rows(slice.schema(), root));
        assertThat(Vectors.comparable(rows))
                .isEqualTo(Vectors.comparable(new ArrayList<Object>(slice.rows())));
    }
}
