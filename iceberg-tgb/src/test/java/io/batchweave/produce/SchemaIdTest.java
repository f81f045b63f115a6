package io.batchweave.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Axis;
import io.batchweave.model.Bytes;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** People take the schema of their dataset from a table, where it may have had any id. */
class SchemaIdTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    @Test
    @Tag("APPLY-5")
    void schemaFromATableThatHadOthersBeforeCanBePublished() {
        PayloadSchema schema =
                PayloadSchema.of(
                        new Schema(7, NestedField.required(1, "a", Types.IntegerType.get())));
        CreateDataset dataset =
                new CreateDataset(
                        WORLD.newId(),
                        schema.json(),
                        List.of(new Axis("dp", 1)),
                        List.of(),
                        List.of());
        DatasetName name = DatasetName.parse("train.rows");
        Log log = Log.create(new MemoryStore(WORLD), name, dataset, WORLD, LogLimits.DEFAULT);
        Producer producer = Producer.open(log, "p", ProducerLimits.DEFAULT, Runnable::run);

        try (BufferAllocator allocator = new RootAllocator(1 << 20);
                VectorSchemaRoot rows = VectorSchemaRoot.create(schema.arrow(), allocator);
                BatchWriter batch = producer.newBatch()) {
            rows.setRowCount(0);
            batch.write(rows);

            assertThat(batch.publish(Bytes.EMPTY, List.of())).isCompletedWithValue(0L);
        }
    }
}
