package io.batchweave.steps;

import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.IntegerType;
import org.apache.iceberg.types.Types.ListType;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.MapType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StringType;
import org.apache.iceberg.types.Types.StructType;
import org.apache.iceberg.types.Types.TimestampType;

/** The columns of the table of steps. */
final class StepColumns {
    static final String STEP = "step";
    static final String VERSION = "version";
    static final String PRODUCER = "producer";
    static final String EPOCH = "epoch";
    static final String SEQUENCE = "sequence";
    static final String ROWS = "rows";
    static final String BYTES = "bytes";
    static final String SCHEMA_ID = "schema_id";
    static final String PUBLISHED_AT = "published_at";
    static final String ATTRIBUTES = "attributes";
    static final String RECEIPT = "receipt";
    static final String SLICES = "slices";
    static final String PARTS = "parts";
    static final String SOURCES = "sources";

    // Of what lies in the lists, beside names from above.
    static final String SLICE = "slice";
    static final String PART = "part";
    static final String OFFSET = "offset";
    static final String LENGTH = "length";
    static final String CRC32C = "crc32c";
    static final String PATH = "path";
    static final String DIGEST = "digest";
    static final String INPUT = "input";
    static final String FIRST_ROW = "first_row";
    static final String LAST_ROW = "last_row";
    static final String AMOUNT = "amount";

    static final Schema SCHEMA =
            new Schema(
                    required(1, STEP, LongType.get(), "Position in the order, from 0."),
                    required(
                            2,
                            VERSION,
                            LongType.get(),
                            "Log version of the commit that published it, from 0."),
                    required(3, PRODUCER, StringType.get(), "Who published it."),
                    required(
                            4,
                            EPOCH,
                            LongType.get(),
                            "Log version of the commit that opened the producer's incarnation."),
                    required(
                            5,
                            SEQUENCE,
                            LongType.get(),
                            "Number of the claim among the producer's, from 0."),
                    required(6, ROWS, LongType.get(), "Rows over all slices."),
                    required(7, BYTES, LongType.get(), "Bytes of payload over all parts."),
                    required(
                            8,
                            SCHEMA_ID,
                            IntegerType.get(),
                            "Payload schema that its slices were written with."),
                    required(
                            9,
                            PUBLISHED_AT,
                            TimestampType.withZone(),
                            "Time of the commit by the store's clock; never steps back."),
                    required(
                            10,
                            ATTRIBUTES,
                            MapType.ofRequired(20, 21, StringType.get(), LongType.get()),
                            "Measures that the producer counted, such as tokens; they can be added"
                                    + " up."),
                    required(
                            11,
                            RECEIPT,
                            StringType.get(),
                            "Hash chain over this step and all before it, in hexadecimal digits."),
                    required(
                            12,
                            SLICES,
                            ListType.ofRequired(22, slices()),
                            "In the order of the grid."),
                    required(
                            13,
                            PARTS,
                            ListType.ofRequired(23, parts()),
                            "Payload objects, in the order of their slices."),
                    required(
                            14,
                            SOURCES,
                            ListType.ofRequired(24, sources()),
                            "Inputs that it was made of; none if the producer does not tell."));

    private StepColumns() {}

    private static StructType slices() {
        return StructType.of(
                required(30, SLICE, IntegerType.get(), "Index in the grid, row-major, from 0."),
                required(31, PART, IntegerType.get(), "Index of the part that holds it, from 0."),
                required(32, OFFSET, LongType.get(), "First byte in the part's object."),
                required(33, LENGTH, LongType.get(), "Bytes of the Arrow message and its body."),
                required(34, ROWS, LongType.get(), "Rows of the record batch; may be 0."),
                required(35, CRC32C, LongType.get(), "CRC-32C of those bytes, unsigned."));
    }

    private static StructType parts() {
        return StructType.of(
                required(40, PART, IntegerType.get(), "Index, from 0."),
                required(41, PATH, StringType.get(), "Key of the object in the warehouse."),
                required(42, LENGTH, LongType.get(), "Bytes of the object."),
                required(43, DIGEST, StringType.get(), "SHA-256 in hexadecimal digits."),
                required(44, SLICES, IntegerType.get(), "How many slices it holds."));
    }

    private static StructType sources() {
        return StructType.of(
                required(50, INPUT, StringType.get(), "What the producer calls it: path or URI."),
                required(
                        51,
                        LENGTH,
                        LongType.get(),
                        "Bytes that it had; 0 if the producer does not know its digest."),
                NestedField.optional(
                        52,
                        DIGEST,
                        StringType.get(),
                        "SHA-256 of those bytes in hexadecimal digits; null if not known."),
                required(
                        53,
                        EPOCH,
                        IntegerType.get(),
                        "How many times the producer had gone through its inputs before, from 0."),
                NestedField.optional(
                        54,
                        FIRST_ROW,
                        LongType.get(),
                        "First of its rows in this step, from 0 in the whole input."),
                NestedField.optional(
                        55, LAST_ROW, LongType.get(), "Last of its rows in this step."),
                required(
                        56,
                        AMOUNT,
                        LongType.get(),
                        "What it fills of this step: tokens where rows are packed into sequences,"
                                + " else rows."));
    }

    private static NestedField required(int id, String name, Type type, String doc) {
        return NestedField.required(id, name, type, doc);
    }
}
