package io.batchweave.model;

import java.util.regex.Pattern;

/**
 * What people may call things. Names become folders on every kind of store, so the rules are those
 * of the strictest.
 */
public final class Names {
    private static final Pattern TABLE_PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");
    private static final Pattern PATH_PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,127}");

    private Names() {}

    /** Checks the name of a namespace, a dataset or an axis. */
    static String checkTablePart(String what, String name) {
        return check(
                what,
                name,
                TABLE_PART,
                "1 to 128 letters, digits, '_' or '-', starting with a letter or digit");
    }

    /** Checks the name of a producer. */
    public static String checkPathPart(String what, String name) {
        return check(
                what,
                name,
                PATH_PART,
                "1 to 128 letters, digits, '_', '-' or '.', starting with a letter or digit");
    }

    private static String check(String what, String name, Pattern allowed, String rule) {
        if (!allowed.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Invalid name of a " + what + " '" + printable(name) + "': use " + rule);
        }
        return name;
    }

    /** The text with its control characters spelled out and cut to a readable length. */
    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(80)
                .forEach(
                        c -> {
                            if (Character.isISOControl(c)
                                    || Character.getType(c) == Character.FORMAT) {
                                shown.append(String.format("\\u%04x", c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }
}
