package io.batchweave.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What people may call things. Names become folders on every kind of store, so the rules are those
 * of the strictest.
 */
public final class Names {
    private static final Pattern TABLE_PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");
    private static final Pattern PATH_PART =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9_-])?");

    private static final Pattern UUID =
            Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private static final int FEW = 10;

    /** Characters of a readable length. */
    private static final int LONG = 80;

    private Names() {}

    /** Checks the name of a namespace, a dataset or an axis. */
    static String checkTablePart(String what, String name) {
        return check(
                "name of a " + what,
                name,
                TABLE_PART,
                "1 to 128 letters, digits, '_' or '-', starting with a letter or digit");
    }

    /**
     * Checks the name of a producer, a count or a feature. Azure and Windows drop a dot at the end
     * of a folder's name, so two such names could become one folder.
     */
    public static String checkPathPart(String what, String name) {
        return check(
                "name of a " + what,
                name,
                PATH_PART,
                "1 to 128 letters, digits, '_', '-' or '.', starting with a letter or digit and not"
                        + " ending with '.'");
    }

    /** Whether this can be the name of a producer, a count or a feature. */
    static boolean isPathPart(String name) {
        return PATH_PART.matcher(name).matches();
    }

    /** Checks the unique id of a dataset or an opening. */
    static String checkId(String what, String id) {
        return check("id of a " + what, id, UUID, "a UUID in lower-case digits");
    }

    /** Checks that no name is given to two of the parts of a whole. */
    static void checkDistinct(String whole, String part, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException(
                        "Invalid " + whole + ": " + part + " " + name + " is named twice");
            }
        }
    }

    /** The names, or as many of them as can be read. */
    public static String few(List<String> names) {
        String shown = String.join(", ", names.subList(0, Math.min(names.size(), FEW)));
        return names.size() <= FEW ? shown : shown + " and " + (names.size() - FEW) + " more";
    }

    private static String check(String what, String text, Pattern allowed, String rule) {
        if (!allowed.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "Invalid " + what + " '" + printable(text) + "': use " + rule);
        }
        return text;
    }

    /** The text with all that does not print on one line spelled out, cut to a readable length. */
    public static String printable(String text) {
        boolean isLong = text.codePoints().skip(LONG).findAny().isPresent();
        return onOneLine(text.codePoints().limit(LONG)) + (isLong ? "..." : "");
    }

    /** The text with all that does not print on one line spelled out. */
    public static String onOneLine(String text) {
        return onOneLine(text.codePoints());
    }

    private static String onOneLine(IntStream codePoints) {
        StringBuilder shown = new StringBuilder();
        codePoints.forEach(
                c -> {
                    if (prints(c)) {
                        shown.appendCodePoint(c);
                    } else {
                        shown.append(String.format("\\u%04x", c));
                    }
                });
        return shown.toString();
    }

    private static boolean prints(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    false;
            default -> true;
        };
    }
}
