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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that end early, wherever they do. */
class ParquetDamageTest {
    private static final MessageType SCHEMA =
            MessageTypeParser.parseMessageType("message m { required int32 n; }");

    @TempDir Path folder;

    @Test
    void refusalNamesTheFileAndNothingOfOurs() throws IOException {
        Path whole =
                ParquetFiles.write(
                        folder.resolve("whole.parquet"),
                        SCHEMA,
                        new SimpleGroup(SCHEMA).append("n", 1));
        byte[] bytes = Files.readAllBytes(whole);
        for (int length = 0; length < bytes.length; length += 7) {
            Path cut = folder.resolve("cut.parquet");
            Files.write(cut, Arrays.copyOf(bytes, length));

            assertThatThrownBy(() -> read(cut))
                    .as("cut after %d bytes", length)
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageStartingWith("Cannot ")
                    .hasMessageContaining("cut.parquet")
                    .hasMessageNotContaining("ParquetInput");
        }
    }

    private static void read(Path path) {
        Input input = new Input(Local.LOCATIONS.at(path.toString()), path.toString());
        try (BufferAllocator allocator = new RootAllocator();
                SliceRows slice = new SliceRows(SchemaArgument.parse("n:int"), allocator);
                RowReader reader = ParquetRows.open(input, slice, new HeapShare(1 << 24))) {
            while (reader.read()) {
                // To the end.
            }
        }
    }
}
