package io.batchweave.cli.rows.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.order.Mixing;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.RowSettings;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.payload.PayloadSchema;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million rows, dealt to four producers. */
class MillionRowsTest {
    private static final PayloadSchema SCHEMA = SchemaArgument.parse("n:int!");
    private static final int ROWS = 1_000_000;
    private static final int FILES = 5;
    private static final int EPOCHS = 3;
    private static final int PARTS = 4;

    @TempDir Path folder;

    @Test
    void fourProducersTakeEveryRowOnceInEachOfThreeEpochs() throws IOException {
        write();
        BitSet[] seen = new BitSet[EPOCHS];
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            seen[epoch] = new BitSet(ROWS);
        }
        double moved = 0;
        for (int part = 1; part <= PARTS; part++) {
            moved += read(part, seen);
        }
        for (BitSet epoch : seen) {
            assertThat(epoch.cardinality()).isEqualTo(ROWS);
        }
        // A row that may land anywhere is moved by a third of all rows, on average.
        assertThat(moved / ROWS / EPOCHS / ROWS).isBetween(0.32, 0.35);
    }

    /** Gives the sum of how far rows were moved. */
    private double read(int part, BitSet[] seen) {
        double moved = 0;
        long count = 0;
        RowOrder order = RowOrder.shuffled(EPOCHS, 11, Mixing.WINDOW_DEFAULT, part, PARTS);
        try (BufferAllocator allocator = new RootAllocator();
                RowSource source =
                        RowSource.start(
                                Drained.inputs(order, SCHEMA, allocator, folder),
                                new RowSettings.ByRows(1_000))) {
            VectorSchemaRoot slice = source.next();
            while (slice.getRowCount() > 0) {
                IntVector ids = (IntVector) slice.getVector("n");
                for (int row = 0; row < slice.getRowCount(); row++) {
                    long inEpoch = count % (ROWS / PARTS);
                    BitSet epoch = seen[(int) (count / (ROWS / PARTS))];
                    epoch.set(ids.get(row));
                    moved += Math.abs(ids.get(row) - PARTS * inEpoch);
                    count++;
                }
                slice = source.next();
            }
        }
        assertThat(count).isEqualTo((long) EPOCHS * ROWS / PARTS);
        return moved;
    }

    private void write() throws IOException {
        for (int file = 0; file < FILES; file++) {
            try (BufferedWriter out = Files.newBufferedWriter(folder.resolve(file + ".jsonl"))) {
                for (int row = 0; row < ROWS / FILES; row++) {
                    out.write("{\"n\":" + (file * (ROWS / FILES) + row) + "}\n");
                }
            }
        }
    }
}
