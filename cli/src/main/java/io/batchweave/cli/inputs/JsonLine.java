package io.batchweave.cli.inputs;

import java.util.regex.Pattern;

/** What a line of JSON is, to all who read or count them. */
public final class JsonLine {
    /** Most bytes in a line, which is parsed whole. */
    public static final int BYTES_MAX = 1 << 24;

    private static final Pattern NAME =
            Pattern.compile(
                    ".*\\.(jsonl|ndjson)(\\.(gz|zst))?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private JsonLine() {}

    /** Whether a file of this name is one of lines, compressed or not. */
    public static boolean isNamed(String file) {
        return NAME.matcher(file).matches();
    }

    /** Whether a character, or a byte of UTF-8, is part of no value: a line of these is blank. */
    public static boolean isSpace(int character) {
        return character == ' ' || character == '\t' || character == '\r';
    }
}
