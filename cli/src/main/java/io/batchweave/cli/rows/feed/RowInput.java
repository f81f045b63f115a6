package io.batchweave.cli.rows.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.rows.arrow.ArrowRows;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.parquet.ParquetRows;
import io.batchweave.cli.rows.reader.Guarded;
import io.batchweave.cli.rows.reader.Index;
import io.batchweave.cli.rows.reader.RowReader;
import io.batchweave.cli.rows.text.Compression;
import io.batchweave.cli.rows.text.JsonRows;
import io.batchweave.cli.rows.text.TextRow;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Tells what kind of rows a file holds, by its first bytes, and opens it. */
public enum RowInput {
    PARQUET,
    ARROW_FILE,
    ARROW_STREAM,
    JSONL(Compression.NONE),
    JSONL_GZIP(Compression.GZIP),
    JSONL_ZSTD(Compression.ZSTD),
    /** All of it is one row of one column; only where text is wanted. */
    TEXT;

    /** Endings of the files that are read when only their folder was named. */
    public static final String ENDINGS =
            ".parquet, .arrow, .arrows, .feather, .ipc, .jsonl or .ndjson (also with .gz or .zst)";

    /** Endings of the files of text that are read when only their folder was named. */
    public static final String TEXT_ENDINGS = ".txt, .md, " + ENDINGS;

    private static final int MAGIC_BYTES = 8;
    private static final String OTHER_ENDING =
            "it is neither Parquet, nor Arrow IPC, nor lines of JSON objects";

    private final Optional<Compression> lines;

    RowInput() {
        this.lines = Optional.empty();
    }

    RowInput(Compression compression) {
        this.lines = Optional.of(compression);
    }

    /** How its lines are compressed, if it has lines of JSON objects. */
    public Optional<Compression> lines() {
        return lines;
    }

    /**
     * Reads all of an input of this kind, to learn where its rows lie. Lines have no index but are
     * read whole, so that one reading gives both.
     */
    Index index(Input input, SliceRows slice) {
        if (lines.isPresent()) {
            return JsonRows.index(input, lines.get());
        }
        Fingerprint fingerprint = Fingerprint.of(input);
        try (RowReader reader = open(input, slice)) {
            return new Index(fingerprint, reader.stretches());
        }
    }

    /** Opens an input of this kind, whose rows are appended to {@code slice}. */
    public RowReader open(Input input, SliceRows slice) {
        return switch (this) {
            case PARQUET -> ParquetRows.open(input, slice);
            case ARROW_FILE -> ArrowRows.openFile(input, slice);
            case ARROW_STREAM -> ArrowRows.openStream(input, slice);
            case JSONL, JSONL_GZIP, JSONL_ZSTD -> JsonRows.open(input, lines.orElseThrow(), slice);
            case TEXT -> TextRow.open(input, slice);
        };
    }

    public static boolean isReadFromFolders(String name) {
        return isBinary(name) || JsonLine.isNamed(name);
    }

    public static boolean isTextReadFromFolders(String name) {
        return isReadFromFolders(name) || isText(name);
    }

    /** Whether a file of this name may have no bytes. */
    private static boolean isPlain(String name) {
        return !isBinary(name) && !name.toLowerCase(Locale.ROOT).matches(".*\\.(gz|zst)");
    }

    private static boolean isText(String name) {
        return name.toLowerCase(Locale.ROOT).matches(".*\\.(txt|md)");
    }

    private static boolean isBinary(String name) {
        return name.toLowerCase(Locale.ROOT).matches(".*\\.(parquet|arrows?|feather|ipc)");
    }

    /**
     * The kind of an input of rows.
     *
     * @throws InvalidRequestException if it is none of them
     */
    public static RowInput of(Input input) {
        byte[] start = start(input);
        Optional<RowInput> known = byMagic(start);
        if (known.isPresent()) {
            return known.get();
        }
        if (begins(start, "FEA1")) {
            throw Guarded.refusal(
                    input, "it is Feather version 1; write it as version 2, which is Arrow");
        }
        if (begins(start, "PARE")) {
            throw Guarded.refusal(input, "it is an encrypted Parquet file; decrypt it");
        }
        if (isJson(start) && !isBinary(input.name())) {
            return JSONL;
        }
        throw Guarded.refusal(
                input, OTHER_ENDING + "; its first bytes are " + HexFormat.of().formatHex(start));
    }

    /** The kind of an input of text, which is text whatever it begins with, unless it is rows. */
    public static RowInput ofText(Input input) {
        if (isText(input.name())) {
            return TEXT;
        }
        return isBinary(input.name())
                ? of(input)
                : byMagic(start(input)).orElse(JsonLine.isNamed(input.name()) ? JSONL : TEXT);
    }

    private static Optional<RowInput> byMagic(byte[] start) {
        if (begins(start, "PAR1")) {
            return Optional.of(PARQUET);
        }
        if (begins(start, "ARROW1")) {
            return Optional.of(ARROW_FILE);
        }
        if (beginsWithHex(start, "ffffffff")) {
            return Optional.of(ARROW_STREAM);
        }
        if (beginsWithHex(start, "1f8b")) {
            return Optional.of(JSONL_GZIP);
        }
        return beginsWithHex(start, "28b52ffd") ? Optional.of(JSONL_ZSTD) : Optional.empty();
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
        try (SeekableByteChannel channel = input.open()) {
            while (start.hasRemaining() && channel.read(start) >= 0) {
                // Reads may be short.
            }
        } catch (IOException e) {
            throw input.unreadable(e);
        }
        if (start.position() == 0 && !isPlain(input.name())) {
            throw Guarded.refusal(
                    input,
                    "it has no bytes, which is not what its name says; write it again, or leave it"
                            + " out");
        }
        return Arrays.copyOf(start.array(), start.position());
    }
}
