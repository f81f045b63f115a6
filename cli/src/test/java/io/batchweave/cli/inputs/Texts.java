package io.batchweave.cli.inputs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files for tests. */
public final class Texts {
    private Texts() {}

    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void append(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JSON object of string fields; {@code pairs} are names and values in turn. */
    public static String json(String... pairs) {
        StringBuilder json = new StringBuilder("{");
        for (int at = 0; at < pairs.length; at += 2) {
            json.append(at == 0 ? "" : ", ")
                    .append(quoted(pairs[at]))
                    .append(": ")
                    .append(quoted(pairs[at + 1]));
        }
        return json.append("}").toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c < ' ' || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
