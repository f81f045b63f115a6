package io.batchweave.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Steps that follow each other, {@code 100..120}.
 *
 * @param last the last of them, not the one behind it
 */
public record StepRange(long first, long last) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");

    public StepRange {
        if (first < 0 || last < first || last == Long.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Invalid steps "
                            + first
                            + ".."
                            + last
                            + ": steps count from 0, and the last is not before the first");
        }
    }

    /** Reads {@code 100..120}, or {@code 100} for one step. */
    public static StepRange parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "Invalid steps '"
                            + Names.printable(text)
                            + "': write FIRST..LAST, such as 100..120, or one number");
        }
        long first = Long.parseLong(parts.group(1));
        return new StepRange(
                first, parts.group(2) == null ? first : Long.parseLong(parts.group(2)));
    }

    /** How many they are. */
    public long count() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return first == last ? Long.toString(first) : first + ".." + last;
    }
}
