package io.batchweave.cli.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.batchweave.cli.ingest.Input;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** Tells what kind of rows a file holds, by its first bytes, and opens it. */
enum RowInput {
    PARQUET,
    ARROW_FILE,
    ARROW_STREAM,
    JSONL,
    JSONL_GZIP,
    JSONL_ZSTD;

    /** Endings of the files that are read when only their folder was named. */
    static final String ENDINGS =
            ".parquet, .arrow, .arrows, .feather, .ipc, .jsonl or .ndjson (also with .gz or .zst)";

    private static final int MAGIC_BYTES = 8;
    private static final String OTHER_ENDING =
            "it is neither Parquet, nor Arrow IPC, nor lines of JSON objects";

    /** Opens an input of this kind, whose rows are appended to {@code slice}. */
    RowReader open(Input input, SliceRows slice) {
        return switch (this) {
            case PARQUET -> ParquetRows.open(input, slice);
            case ARROW_FILE -> ArrowRows.openFile(input, slice);
            case ARROW_STREAM -> ArrowRows.openStream(input, slice);
            case JSONL, JSONL_GZIP, JSONL_ZSTD -> JsonRows.open(input, slice);
        };
    }

    static boolean isReadFromFolders(String name) {
        return isBinary(name)
                || name.toLowerCase(Locale.ROOT).matches(".*\\.(jsonl|ndjson)(\\.(gz|zst))?");
    }

    private static boolean isBinary(String name) {
        return name.toLowerCase(Locale.ROOT).matches(".*\\.(parquet|arrows?|feather|ipc)");
    }

    /**
     * The kind of an input.
     *
     * @throws InvalidRequestException if it is none of them
     */
    static RowInput of(Input input) {
        byte[] start = start(input);
        if (begins(start, "PAR1")) {
            return PARQUET;
        }
        if (begins(start, "ARROW1")) {
            return ARROW_FILE;
        }
        if (beginsWithHex(start, "ffffffff")) {
            return ARROW_STREAM;
        }
        if (beginsWithHex(start, "1f8b")) {
            return JSONL_GZIP;
        }
        if (beginsWithHex(start, "28b52ffd")) {
            return JSONL_ZSTD;
        }
        if (begins(start, "FEA1")) {
            throw refusal(input, "it is Feather version 1; write it as version 2, which is Arrow");
        }
        if (begins(start, "PARE")) {
            throw refusal(input, "it is an encrypted Parquet file; decrypt it");
        }
        if (isJson(start) && !isBinary(input.name())) {
            return JSONL;
        }
        throw refusal(
                input, OTHER_ENDING + "; its first bytes are " + HexFormat.of().formatHex(start));
    }

    /** Whether it may begin lines of JSON objects; nothing at all is no line. */
    private static boolean isJson(byte[] start) {
        int at = beginsWithHex(start, "efbbbf") ? 3 : 0;
        while (at < start.length && " \t\r\n".indexOf(start[at]) >= 0) {
            at++;
        }
        return at == start.length || start[at] == '{';
    }

    private static boolean begins(byte[] start, String magic) {
        return new String(start, ISO_8859_1).startsWith(magic);
    }

    private static boolean beginsWithHex(byte[] start, String magic) {
        return HexFormat.of().formatHex(start).startsWith(magic);
    }

    private static byte[] start(Input input) {
        ByteBuffer start = ByteBuffer.allocate(MAGIC_BYTES);
        try (FileChannel channel = FileChannel.open(input.path())) {
            while (start.hasRemaining() && channel.read(start) >= 0) {
                // Reads may be short.
            }
        } catch (IOException e) {
            throw Input.unreadable(input.path(), e);
        }
        return Arrays.copyOf(start.array(), start.position());
    }

    static InvalidRequestException refusal(Input input, String why) {
        return new InvalidRequestException("Cannot ingest " + input.path() + ": " + why);
    }
}
