package io.batchweave.cli;

import java.io.PrintWriter;

/** Tells people what went wrong, a line each. */
final class ErrorLines {
    /** To the start of the line, and clear it: {@link Progress} may have left something there. */
    private static final String CLEARED_LINE = "\r\u001b[K";

    private final PrintWriter err;

    ErrorLines(PrintWriter err) {
        this.err = err;
    }

    /** Whatever a message quotes, such as a file's name, it stays one line and harmless. */
    void tell(String message) {
        String start = Terminal.showsErrors() ? CLEARED_LINE : "";
        err.println(start + "batchweave: " + oneLine(message));
        err.flush();
    }

    private static String oneLine(String message) {
        StringBuilder line = new StringBuilder();
        message.codePoints()
                .forEach(
                        c -> {
                            if (prints(c)) {
                                line.appendCodePoint(c);
                            } else {
                                line.append(String.format("\\u%04x", c));
                            }
                        });
        return line.toString();
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
