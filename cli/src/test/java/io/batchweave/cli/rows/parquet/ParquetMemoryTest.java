package io.batchweave.cli.rows.parquet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.feed.ParquetFiles;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sound files that are larger than the heap. */
class ParquetMemoryTest {
    private static final MessageType SCHEMA =
            MessageTypeParser.parseMessageType(
                    "message m { required int32 n; required group s { required binary b; } }");

    @TempDir Path folder;

    @Test
    void aPageThatIsLargerThanTheHeapNamesMemoryAndItsColumn() throws IOException {
        Path file = ParquetFiles.writeSnappy(folder.resolve("a.parquet"), SCHEMA, row(1 << 20));

        assertThatThrownBy(() -> read(file, 1 << 18))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot ingest "
                                + file
                                + " row group 0 row 0, column s.b: a page of it has 1048580 bytes,"
                                + " and of this heap 262144 can be used; run with"
                                + " BATCHWEAVE_JAVA_OPTS=-Xmx67m, or write smaller pages");
    }

    @Test
    void aRowGroupThatIsLargerThanTheHeapNamesMemory() throws IOException {
        Path file = ParquetFiles.write(folder.resolve("a.parquet"), SCHEMA, row(1 << 20));

        assertThatThrownBy(() -> read(file, 1 << 18))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot ingest " + file + ": row group 0 has 10")
                .hasMessageEndingWith(
                        "and of this heap 262144 can be used; run with"
                                + " BATCHWEAVE_JAVA_OPTS=-Xmx67m, or write smaller row groups");
    }

    private static Group row(int bytes) {
        Group row = new SimpleGroup(SCHEMA).append("n", 1);
        row.addGroup("s").append("b", Binary.fromConstantByteArray(new byte[bytes]));
        return row;
    }

    private static void read(Path path, long heapBytes) {
        Input input = new Input(Local.LOCATIONS.at(path.toString()), "a.parquet");
        try (BufferAllocator allocator = new RootAllocator();
                SliceRows slice =
                        new SliceRows(SchemaArgument.parse("n:int,s:struct<b:binary>"), allocator);
                RowReader reader = ParquetRows.open(input, slice, new HeapShare(heapBytes))) {
            while (reader.read()) {
                // To the end.
            }
        }
    }
}
