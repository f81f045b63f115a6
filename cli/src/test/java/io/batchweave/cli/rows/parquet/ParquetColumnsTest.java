package io.batchweave.cli.rows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What of a Parquet file is read. */
class ParquetColumnsTest {
    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void nothingIsLeft() {
        allocator.close();
    }

    @Test
    void twoParquetColumnsOfOneNameAreRefused() {
        MessageType schema =
                MessageTypeParser.parseMessageType(
                        "message m { required int32 n; required int32 k; required int64 n; }");
        try (SliceRows slice = new SliceRows(SchemaArgument.parse("n:int"), allocator)) {
            assertThatThrownBy(() -> ParquetColumns.of(schema, slice.columns()))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("column n: the input has two columns of this name");
        }
        try (SliceRows slice = new SliceRows(SchemaArgument.parse("k:int"), allocator)) {
            assertThat(ParquetColumns.of(schema, slice.columns()).requested().getFieldCount())
                    .isEqualTo(1);
        }
    }
}
