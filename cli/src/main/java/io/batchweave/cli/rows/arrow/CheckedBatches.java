package io.batchweave.cli.rows.arrow;

import io.batchweave.model.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;

/**
 * Refuses record batches in which a column has fewer values than the rows, structs or lists around
 * it refer to. The library's readers fill up what is missing with nulls, and one damaged byte would
 * become thousands of rows that never were.
 */
final class CheckedBatches {
    private final Iterator<ArrowFieldNode> nodes;

    private CheckedBatches(List<ArrowFieldNode> nodes) {
        this.nodes = nodes.iterator();
    }

    static ArrowReader ofFile(SeekableByteChannel channel, BufferAllocator allocator) {
        return new ArrowFileReader(channel, allocator, CommonsCompressionFactory.INSTANCE) {
            @Override
            protected void loadRecordBatch(ArrowRecordBatch batch) {
                super.loadRecordBatch(batch);
                check(this, batch);
            }

            @Override
            protected void loadDictionary(ArrowDictionaryBatch batch) {
                super.loadDictionary(batch);
                check(dictionaries, batch);
            }
        };
    }

    static ArrowReader ofStream(SeekableByteChannel channel, BufferAllocator allocator) {
        return of(new CheckedMessages(channel, allocator), allocator);
    }

    static ArrowReader ofPipe(InputPipe pipe, BufferAllocator allocator) {
        return of(new PipedMessages(pipe, allocator), allocator);
    }

    private static ArrowReader of(MessageChannelReader messages, BufferAllocator allocator) {
        return new ArrowStreamReader(messages, allocator, CommonsCompressionFactory.INSTANCE) {
            @Override
            protected void loadRecordBatch(ArrowRecordBatch batch) {
                super.loadRecordBatch(batch);
                check(this, batch);
            }

            @Override
            protected void loadDictionary(ArrowDictionaryBatch batch) {
                super.loadDictionary(batch);
                check(dictionaries, batch);
            }
        };
    }

    private static void check(ArrowReader reader, ArrowRecordBatch batch) {
        try {
            check(batch, reader.getVectorSchemaRoot().getFieldVectors());
        } catch (IOException e) {
            throw new UncheckedIOException("The schema has been read before", e);
        }
    }

    private static void check(Map<Long, Dictionary> known, ArrowDictionaryBatch batch) {
        // One that is appended lies behind others by now, and cannot be told from them.
        if (!batch.isDelta()) {
            FieldVector values = known.get(batch.getDictionaryId()).getVector();
            check(batch.getDictionary(), List.of(values));
        }
    }

    private static void check(ArrowRecordBatch batch, List<FieldVector> vectors) {
        CheckedBatches checked = new CheckedBatches(batch.getNodes());
        vectors.forEach(vector -> checked.take(vector, batch.getLength()));
    }

    private void take(FieldVector vector, long needed) {
        long values = nodes.next().getLength();
        if (values < needed) {
            throw new IllegalArgumentException(
                    "column %s has %d values, and %d are referred to"
                            .formatted(Names.printable(vector.getName()), values, needed));
        }
        long below = referredTo(vector, values);
        vector.getChildrenFromFields().forEach(child -> take(child, below));
    }

    /** How many values the children of a vector must have, as far as they are looked at. */
    private static long referredTo(FieldVector vector, long values) {
        if (vector instanceof StructVector) {
            return values;
        }
        if (vector instanceof FixedSizeListVector fixed) {
            return values * fixed.getListSize();
        }
        if (values > 0 && vector instanceof ListVector) {
            return vector.getOffsetBuffer().getInt(values * Integer.BYTES);
        }
        if (values > 0 && vector instanceof LargeListVector) {
            return vector.getOffsetBuffer().getLong(values * Long.BYTES);
        }
        return 0;
    }
}
