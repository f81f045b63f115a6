package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;

/**
 * What a program pipes into {@code publish}: batches are numbered, a slice of batch n has n % 3
 * rows and one more for each slice before it, and progress is the number of the next batch.
 */
final class PipedBatches {
    static final String COLUMNS = "id:long!,text:string";
    static final int SLICES = 4;

    /** The dataset's own types. */
    static final Schema OWN = schema(64, new ArrowType.Utf8());

    /** Others, in another order, which fit without loss. */
    static final Schema NARROW = schema(16, new ArrowType.LargeUtf8());

    private PipedBatches() {}

    private static Schema schema(int bits, ArrowType text) {
        Field id = Field.notNullable("id", new ArrowType.Int(bits, true));
        Field other = Field.nullable("text", text);
        return new Schema(bits == 64 ? List.of(id, other) : List.of(other, id));
    }

    static String progress(long nextBatch) {
        return Base64.getEncoder().encodeToString(Long.toString(nextBatch).getBytes(UTF_8));
    }

    /** The number of the next batch; 0 without progress. */
    static long nextBatch(String progress) {
        String text = new String(Base64.getDecoder().decode(progress), UTF_8);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    static void line(OutputStream out, String request) throws IOException {
        out.write((request + "\n").getBytes(UTF_8));
    }

    /** A request and its slices. */
    static void publish(OutputStream out, long batch) throws IOException {
        publish(out, batch, OWN, SLICES);
    }

    static void publish(OutputStream out, long batch, Schema schema, int slices)
            throws IOException {
        line(out, "{\"do\":\"publish\",\"progress\":\"" + progress(batch + 1) + "\"}");
        stream(out, batch, schema, slices);
    }

    static void stream(OutputStream out, long batch, Schema schema, int slices) throws IOException {
        // The library's writer closes what it writes to.
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, stream)) {
            writer.start();
            for (int slice = 0; slice < slices; slice++) {
                int rows = (int) (batch % 3) + slice;
                for (int row = 0; row < rows; row++) {
                    set(root, row, batch * 100 + slice * 10L + row);
                }
                root.setRowCount(rows);
                writer.writeBatch();
            }
            writer.end();
        }
        stream.writeTo(out);
    }

    private static void set(VectorSchemaRoot root, int row, long id) {
        FieldVector ids = root.getVector("id");
        if (ids instanceof BigIntVector wide) {
            wide.setSafe(row, id);
        } else {
            ((SmallIntVector) ids).setSafe(row, (short) id);
        }
        if (id % 2 == 0) {
            byte[] text = ("row " + id).getBytes(UTF_8);
            if (root.getVector("text") instanceof VarCharVector strings) {
                strings.setSafe(row, new Text(text));
            } else {
                ((LargeVarCharVector) root.getVector("text")).setSafe(row, text);
            }
        } else {
            root.getVector("text").setNull(row);
        }
    }

    /** Requests that are written one after the other. */
    static byte[] bytes(Requests requests) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            requests.to(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    /** Writes requests. */
    interface Requests {
        void to(OutputStream out) throws IOException;
    }
}
