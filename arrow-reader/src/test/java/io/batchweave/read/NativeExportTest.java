package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.produce.Producer;
import io.batchweave.produce.ProducerLimits;
import io.batchweave.testing.Numbers;
import io.batchweave.testing.Scene;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Native code gets the fetched memory, and its release gives it back. */
class NativeExportTest {
    private final Scene scene = new Scene("dp=4");
    private final BufferAllocator consumer =
            scene.allocator().newChildAllocator("consumer", 0, Long.MAX_VALUE);

    @BeforeEach
    void publish() {
        try (Producer producer =
                Producer.open(
                        scene.log(scene.memory()), "p", ProducerLimits.DEFAULT, Runnable::run)) {
            scene.publish(producer, 0);
            scene.publish(producer, 1);
        }
    }

    @AfterEach
    void everythingIsFreed() {
        consumer.close();
        scene.close();
    }

    private static List<ArrowBuf> values(VectorSchemaRoot rows) {
        return rows.getFieldVectors().stream().map(FieldVector::getDataBuffer).toList();
    }

    private static List<Long> addresses(VectorSchemaRoot rows) {
        return values(rows).stream().map(ArrowBuf::memoryAddress).toList();
    }

    @Test
    void aSliceIsItsFetchedMemoryAndOutlivesItsStepAndReader() {
        try (CDataDictionaryProvider none = new CDataDictionaryProvider();
                ArrowArray array = ArrowArray.allocateNew(consumer);
                ArrowSchema schema = ArrowSchema.allocateNew(consumer)) {
            List<Long> fetched;
            try (Rank rank = Rank.at(scene, "dp=0/1", 0);
                    StepBatch step = rank.reader().next(Rank.WAIT).orElseThrow()) {
                SliceBatch slice = step.slices().get(1);
                fetched = addresses(slice.rows());
                NativeExport.slice(slice, consumer, array, schema);
            }
            assertThat(consumer.getRoot().getAllocatedMemory()).as("held").isPositive();

            try (VectorSchemaRoot rows =
                    Data.importVectorSchemaRoot(consumer, array, schema, none)) {
                assertThat(addresses(rows)).isEqualTo(fetched);
                assertThat(Numbers.areThoseOf(rows, 0, 1)).isTrue();
                assertThat(rows.getSchema().getFields())
                        .isEqualTo(Numbers.SCHEMA.arrow().getFields());
            }
        }
    }

    @Test
    void aStepIsAStreamOfItsSlicesInTheirFetchedMemory() throws IOException {
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(consumer)) {
            List<Long> fetched = new ArrayList<>();
            try (Rank rank = Rank.at(scene, "dp=0/1", 0);
                    StepBatch step = rank.reader().next(Rank.WAIT).orElseThrow()) {
                step.slices().forEach(slice -> fetched.addAll(addresses(slice.rows())));
                NativeExport.stream(step, consumer, stream);
            }
            List<Long> seen = new ArrayList<>();
            try (ArrowReader slices = Data.importArrayStream(consumer, stream)) {
                for (int slice = 0; slice < 4; slice++) {
                    assertThat(slices.loadNextBatch()).isTrue();
                    VectorSchemaRoot rows = slices.getVectorSchemaRoot();
                    assertThat(Numbers.areThoseOf(rows, 0, slice)).isTrue();
                    seen.addAll(rows.getRowCount() == 0 ? List.of() : addresses(rows));
                }
                assertThat(slices.loadNextBatch()).isFalse();
            }
            assertThat(seen).hasSize(6);
            assertThat(fetched).containsAll(seen);
        }
    }

    @Test
    void aStreamThatNobodyReadsGivesItsMemoryBack() {
        try (Rank rank = Rank.at(scene, "dp=0/1", 0);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(consumer)) {
            try (StepBatch step = rank.reader().next(Rank.WAIT).orElseThrow()) {
                NativeExport.stream(step, consumer, stream);
            }
            stream.release();
        }
    }

    /** Else the next step would be written over what native code still reads. */
    @Test
    void memoryThatIsExportedIsNotUsedAgain() {
        try (CDataDictionaryProvider none = new CDataDictionaryProvider();
                ArrowArray array = ArrowArray.allocateNew(consumer);
                ArrowSchema schema = ArrowSchema.allocateNew(consumer);
                Rank rank = Rank.at(scene, "dp=0/1", 0)) {
            try (StepBatch step = rank.reader().next(Rank.WAIT).orElseThrow()) {
                NativeExport.slice(step.slices().get(1), consumer, array, schema);
            }
            rank.read();

            try (VectorSchemaRoot rows =
                    Data.importVectorSchemaRoot(consumer, array, schema, none)) {
                assertThat(Numbers.areThoseOf(rows, 0, 1)).isTrue();
            }
        }
    }
}
