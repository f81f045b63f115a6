package io.batchweave.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Slice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the reader does with bytes that no writer wrote, though their digest may be right. */
class SliceReaderTest {
    /** Far below what a wrong number could ask for. */
    private static final long MEMORY_MAX = 1 << 22;

    private static final List<Long> NUMBERS =
            List.of(-1L, 0L, 1L, 63L, 64L, 1L << 30, (1L << 31) - 1, 1L << 31, 1L << 62, 1L << 63);

    private final BufferAllocator allocator = new RootAllocator(MEMORY_MAX);

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    @Provide
    Arbitrary<RandomSlice> slices() {
        return Arbitraries.longs().map(RandomSlice::new);
    }

    @Property(tries = 2_000)
    @net.jqwik.api.Tag("PAYLOAD-8")
    void changedMetadataIsFoundOrHarmless(@ForAll("slices") RandomSlice slice, @ForAll long seed) {
        try (BufferAllocator own = new RootAllocator(MEMORY_MAX)) {
            Written written = written(slice, own);
            byte[] bytes = written.bytes(written.slice(0));
            SplittableRandom random = new SplittableRandom(seed);
            changeNumbers(bytes, metadataEnd(bytes), random);
            isFound(slice, own, bytes, written.slice(0));
        }
    }

    @Property(tries = 1_000)
    @net.jqwik.api.Tag("PAYLOAD-8")
    void changedBodiesAreFoundOrHarmless(@ForAll("slices") RandomSlice slice, @ForAll long seed) {
        try (BufferAllocator own = new RootAllocator(MEMORY_MAX)) {
            Written written = written(slice, own);
            byte[] bytes = written.bytes(written.slice(0));
            SplittableRandom random = new SplittableRandom(seed);
            int metadata = metadataEnd(bytes);
            for (int i = metadata; i < bytes.length; i++) {
                bytes[i] = random.nextInt(8) == 0 ? (byte) random.nextInt() : bytes[i];
            }
            isFound(slice, own, bytes, written.slice(0));
        }
    }

    @Property(tries = 500)
    @net.jqwik.api.Tag("PAYLOAD-8")
    void cutSlicesAreFound(@ForAll("slices") RandomSlice slice, @ForAll long seed) {
        try (BufferAllocator own = new RootAllocator(MEMORY_MAX)) {
            Written written = written(slice, own);
            Slice at = written.slice(0);
            SplittableRandom random = new SplittableRandom(seed);
            byte[] cut = Arrays.copyOf(written.bytes(at), random.nextInt(1, (int) at.length()));
            Slice claimed = new Slice(at.offset(), cut.length, at.rows(), at.crc32c());
            assertThat(isFound(slice, own, cut, claimed)).isTrue();
        }
    }

    @Property(tries = 500)
    @net.jqwik.api.Tag("PAYLOAD-8")
    void noiseIsFound(@ForAll("slices") RandomSlice slice, @ForAll byte[] noise) {
        try (BufferAllocator own = new RootAllocator(MEMORY_MAX);
                ArrowBuf bytes = Written.aligned(own, noise.length == 0 ? new byte[1] : noise)) {
            Slice claimed = new Slice(0, Math.max(1, noise.length), 1, 0);
            SliceReader reader = new SliceReader(slice.schema(), own);
            assertThatThrownBy(() -> reader.read(bytes, claimed, Written.OBJECT))
                    .isInstanceOf(CorruptException.class);
        }
    }

    private static Written written(RandomSlice slice, BufferAllocator allocator) {
        try (VectorSchemaRoot root = Vectors.of(slice.schema(), allocator, slice.rows())) {
            return Written.of(slice.schema(), root);
        }
    }

    private static int metadataEnd(byte[] bytes) {
        return 8 + ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
    }

    private static void changeNumbers(byte[] bytes, int end, SplittableRandom random) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
            long number = NUMBERS.get(random.nextInt(NUMBERS.size())) + random.nextInt(-1, 2);
            switch (random.nextInt(4)) {
                case 0 -> buffer.put(random.nextInt(end), (byte) random.nextInt());
                case 1 -> buffer.putInt(4 * random.nextInt(end / 4), (int) number);
                case 2 -> buffer.putInt(4 * random.nextInt(end / 4), random.nextInt(-end, end));
                default -> buffer.putLong(4 * random.nextInt(end / 4 - 1), number);
            }
        }
    }

    /** Whether an error said where; if not, the batch is whole and lies in the bytes. */
    private static boolean isFound(
            RandomSlice slice, BufferAllocator allocator, byte[] changed, Slice at) {
        SliceReader reader = new SliceReader(slice.schema(), allocator);
        try (ArrowBuf bytes = Written.aligned(allocator, changed);
                VectorSchemaRoot read = reader.read(bytes, at, Written.OBJECT)) {
            long first = bytes.memoryAddress();
            long end = first + changed.length;
            assertThat(Vectors.buffers(read))
                    .allMatch(buffer -> buffer.memoryAddress() >= first)
                    .allMatch(buffer -> buffer.memoryAddress() + buffer.capacity() <= end);
            assertThat(Vectors.rows(slice.schema(), read)).hasSize((int) at.rows());
            return false;
        } catch (CorruptException e) {
            assertThat(e).hasMessageContaining(Written.OBJECT);
            return true;
        }
    }

    @Test
    @Tag("PAYLOAD-8")
    void aSliceOfAnotherSchemaIsCorrupt() {
        Written written = tokens(3);
        PayloadSchema other =
                PayloadSchema.of(
                        new Schema(NestedField.required(1, "tokens", Types.StringType.get())));
        try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(written.slice(0)))) {
            SliceReader reader = new SliceReader(other, allocator);
            assertThatThrownBy(() -> reader.read(bytes, written.slice(0), Written.OBJECT))
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(
                            "Cannot read bytes 704 to 1407 of train/tokens/data/p/0/0/0.arrow: column"
                                    + " tokens (field id 1): one of its buffers is too short;"
                                    + " restore the object or skip its step");
        }
    }

    @Test
    @Tag("PAYLOAD-8")
    void otherRowsThanTheCommitSaysAreCorrupt() {
        Written written = tokens(3);
        Slice at = written.slice(0);
        Slice claimed = new Slice(at.offset(), at.length(), 4, at.crc32c());
        try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at))) {
            SliceReader reader = new SliceReader(PayloadSchema.tokens(), allocator);
            assertThatThrownBy(() -> reader.read(bytes, claimed, Written.OBJECT))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("the commit counts other rows");
        }
    }

    @Test
    @Tag("PAYLOAD-8")
    void columnsBeyondTheSchemaAreCorrupt() {
        PayloadSchema fewer =
                PayloadSchema.of(new Schema(PayloadSchema.tokens().iceberg().findField("tokens")));
        Written written = tokens(3);
        assertCorrupt(
                fewer,
                written.bytes(written.slice(0)),
                written.slice(0),
                "the record batch has more columns than the schema");
    }

    @Test
    @Tag("PAYLOAD-8")
    void wrongNumbersAreCorrupt() {
        Written written = tokens(100);
        Slice at = written.slice(0);
        byte[] bytes = written.bytes(at);
        long elements = 4 * 100;
        assertCorrupt(
                PayloadSchema.tokens(),
                Tampered.pair(bytes, elements, 0, elements - 1, 0),
                at,
                "column tokens.element (field id 4): the number of its values is wrong");
        long begin = Messages.aligned(4 * 101);
        assertCorrupt(
                PayloadSchema.tokens(),
                Tampered.pair(bytes, begin, 4 * elements, begin + 8, 4 * elements),
                at,
                "column tokens.element (field id 4): one of its buffers is not aligned");
        assertCorrupt(
                PayloadSchema.tokens(),
                Tampered.pair(bytes, begin, 4 * elements, begin, 4 * elements - 1),
                at,
                "column tokens.element (field id 4): one of its buffers is too short");
        assertCorrupt(
                PayloadSchema.tokens(),
                Tampered.pair(bytes, begin, 4 * elements, 1 << 20, 4 * elements),
                at,
                "column tokens.element (field id 4): one of its buffers lies outside of the body");
    }

    @Test
    @Tag("PAYLOAD-1")
    @Tag("PAYLOAD-8")
    void compressedSlicesAreCorrupt() {
        Written written = tokens(3);
        Slice at = written.slice(0);
        byte[] compressed = Tampered.compressed(written.bytes(at), at);
        assertCorrupt(
                PayloadSchema.tokens(),
                compressed,
                new Slice(at.offset(), compressed.length, at.rows(), at.crc32c()),
                "the record batch is compressed, or of a kind no payload schema has");
    }

    private void assertCorrupt(PayloadSchema schema, byte[] claimed, Slice slice, String why) {
        try (ArrowBuf bytes = Written.aligned(allocator, claimed)) {
            SliceReader reader = new SliceReader(schema, allocator);
            assertThatThrownBy(() -> reader.read(bytes, slice, Written.OBJECT))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining(why);
        }
    }

    @Test
    void bytesOfAnotherRootAllocatorAreRefusedAndNothingIsLost() {
        Written written = tokens(3);
        Slice at = written.slice(0);
        try (BufferAllocator other = new RootAllocator();
                ArrowBuf bytes = Written.aligned(other, written.bytes(at))) {
            SliceReader reader = new SliceReader(PayloadSchema.tokens(), allocator);
            assertThatThrownBy(() -> reader.read(bytes, at, Written.OBJECT))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void onlyABitPerValueIsAllocated() {
        Written written = tokens(1_000);
        Slice at = written.slice(0);
        try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at))) {
            long before = allocator.getAllocatedMemory();
            SliceReader reader = new SliceReader(PayloadSchema.tokens(), allocator);
            try (VectorSchemaRoot read = reader.read(bytes, at, Written.OBJECT)) {
                assertThat(read.getRowCount()).isEqualTo(1_000);
                assertThat(allocator.getAllocatedMemory() - before).isLessThanOrEqualTo(1_024);
            }
        }
    }

    @Test
    void anAllocatorWithoutRoomLosesNothing() {
        Written written = tokens(1_000);
        Slice at = written.slice(0);
        try (ArrowBuf bytes = Written.aligned(allocator, written.bytes(at));
                BufferAllocator full = allocator.newChildAllocator("full", 0, 100)) {
            SliceReader reader = new SliceReader(PayloadSchema.tokens(), full);
            assertThatThrownBy(() -> reader.read(bytes, at, Written.OBJECT))
                    .isInstanceOf(OutOfMemoryException.class);
        }
    }

    @Test
    void fewerBytesThanTheSliceHasAreRefused() {
        Written written = tokens(3);
        Slice at = written.slice(0);
        try (ArrowBuf bytes = allocator.buffer(64)) {
            SliceReader reader = new SliceReader(PayloadSchema.tokens(), allocator);
            assertThatThrownBy(() -> reader.read(bytes, at, Written.OBJECT))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SliceReader.verify(ByteBuffer.allocate(64), at, Written.OBJECT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("PAYLOAD-7")
    void verifyingMovesNothingAndNamesBothDigests() {
        Written written = tokens(3);
        Slice at = written.slice(0);
        ByteBuffer direct = ByteBuffer.allocateDirect((int) at.length());
        direct.put(written.bytes(at)).flip();
        SliceReader.verify(direct, at, Written.OBJECT);
        assertThat(direct.remaining()).isEqualTo((int) at.length());
        Slice claimed = new Slice(at.offset(), at.length(), at.rows(), 0xabc);
        assertThatThrownBy(() -> SliceReader.verify(direct, claimed, Written.OBJECT))
                .isInstanceOf(CorruptException.class)
                .hasMessage(
                        "Cannot read bytes 704 to 1407 of %s: their CRC-32C is %08x, and the commit"
                                        .formatted(Written.OBJECT, at.crc32c())
                                + " says 00000abc; restore the object or skip its step");
    }

    private Written tokens(int rows) {
        try (VectorSchemaRoot root = Tokens.of(allocator, rows)) {
            return Written.of(PayloadSchema.tokens(), root);
        }
    }
}
