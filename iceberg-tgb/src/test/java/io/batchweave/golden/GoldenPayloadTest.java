package io.batchweave.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.payload.LogicalDigest;
import io.batchweave.payload.PartWriter;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.SliceReader;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fetched;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Slices that another implementation wrote hold here what they hold there, or are refused. */
@Tag("PAYLOAD-1")
@Tag("PAYLOAD-2")
@Tag("PAYLOAD-3")
class GoldenPayloadTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    /** So little that nothing large can be asked for unnoticed. */
    private final BufferAllocator allocator = new RootAllocator(1 << 20);

    @AfterEach
    void everythingIsFreed() {
        allocator.close();
    }

    /** A slice as the log has it, and what was found of it. */
    record Found(
            GoldenVector vector,
            MemoryStore store,
            PayloadSchema schema,
            String key,
            Slice slice,
            JsonNode expected) {
        boolean isRefused() {
            return expected.has("refused");
        }

        @Override
        public String toString() {
            return vector + " " + key + " @" + slice.offset() + " " + expected.path("about");
        }
    }

    static Stream<Found> slices() {
        return Stream.of("valid", "invalid")
                .flatMap(kind -> GoldenVector.all(kind).stream())
                .filter(vector -> !vector.expected("steps").isEmpty())
                .filter(vector -> !refuses(vector, "state/"))
                .flatMap(GoldenPayloadTest::slices);
    }

    private static boolean refuses(GoldenVector vector, String folder) {
        return vector.expected("refused").path("key").asText().startsWith(folder);
    }

    static Stream<Found> readable() {
        return slices().filter(found -> found.expected().has("logical_digest"));
    }

    static Stream<Found> refused() {
        return slices().filter(Found::isRefused);
    }

    private static Stream<Found> slices(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        Log log = Log.open(store, vector.dataset(), WORLD, LogLimits.DEFAULT);
        PayloadSchema schema = PayloadSchema.parse(log.state().dataset().schema());
        Stream.Builder<Found> found = Stream.builder();
        for (long at = 0; at < log.state().nextStep(); at++) {
            StepRecord step = log.step(at);
            JsonNode parts = vector.expected("steps").get((int) step.step()).get("parts");
            for (int i = 0; i < step.batch().parts().size(); i++) {
                String key = log.layout().part(step.claim(), i);
                List<Slice> slices = step.batch().parts().get(i).slices();
                for (int j = 0; j < slices.size(); j++) {
                    JsonNode expected = parts.get(i).get("slices").get(j);
                    found.add(new Found(vector, store, schema, key, slices.get(j), expected));
                }
            }
        }
        return found.build();
    }

    @ParameterizedTest
    @MethodSource("readable")
    @Tag("PAYLOAD-7")
    @Tag("PAYLOAD-11")
    void readableSliceHasItsLogicalDigest(Found found) {
        try (ArrowBuf bytes = fetched(found);
                VectorSchemaRoot root = read(found, bytes)) {
            assertThat(LogicalDigest.of(found.schema(), root).toHex())
                    .isEqualTo(found.expected().get("logical_digest").asText());
        }
    }

    /** Metadata may differ, as flatbuffers lay it out as they like; what it speaks of may not. */
    @ParameterizedTest
    @MethodSource("readable")
    @Tag("PAYLOAD-5")
    void equalContentIsWrittenAsEqualBodies(Found found) {
        boolean isCanonical = found.expected().path("canonical").asBoolean(true);
        try (ArrowBuf bytes = fetched(found);
                VectorSchemaRoot root = read(found, bytes)) {
            ByteBuffer written = body(bytes.nioBuffer(0, (int) found.slice().length()));

            assertThat(body(rewritten(found.schema(), root)).equals(written))
                    .isEqualTo(isCanonical);
        }
    }

    private static ByteBuffer rewritten(PayloadSchema schema, VectorSchemaRoot root) {
        MemoryStore store = new MemoryStore(WORLD);
        try (Upload upload = store.upload("part")) {
            PartWriter writer = new PartWriter(upload, schema);
            writer.write(root);
            Part part = writer.finish();
            upload.complete();
            Slice slice = part.slices().get(0);
            ByteBuffer bytes = ByteBuffer.allocate((int) slice.length());
            store.readInto("part", slice.offset(), bytes);
            return bytes.flip();
        }
    }

    private static ByteBuffer body(ByteBuffer slice) {
        int metadata = 8 + slice.order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        return slice.slice(metadata, slice.limit() - metadata);
    }

    @ParameterizedTest
    @MethodSource("refused")
    @Tag("PAYLOAD-7")
    @Tag("PAYLOAD-8")
    @Tag("STORE-8")
    void refusedSliceIsNeverGivenToAnyone(Found found) {
        if (found.expected().get("refused").asText().equals("missing")) {
            assertThat(found.store().read(found.key(), CommitCodec.BYTES_MAX))
                    .isInstanceOf(Fetched.Absent.class);
            return;
        }
        assertThatThrownBy(() -> readAndClose(found))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining(found.key());
    }

    private void readAndClose(Found found) {
        try (ArrowBuf bytes = fetched(found);
                VectorSchemaRoot root = read(found, bytes)) {
            assertThat(root).isNotNull();
        }
    }

    private ArrowBuf fetched(Found found) {
        ArrowBuf bytes = allocator.buffer(found.slice().length());
        try {
            ByteBuffer target = bytes.nioBuffer(0, (int) found.slice().length());
            found.store().readInto(found.key(), found.slice().offset(), target);
            return bytes;
        } catch (RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    private VectorSchemaRoot read(Found found, ArrowBuf bytes) {
        ByteBuffer view = bytes.nioBuffer(0, (int) found.slice().length());
        SliceReader.verify(view, found.slice(), found.key());
        return new SliceReader(found.schema(), allocator).read(bytes, found.slice(), found.key());
    }
}
