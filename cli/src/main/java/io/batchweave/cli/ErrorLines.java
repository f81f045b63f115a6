package io.batchweave.cli;

import io.batchweave.model.Names;
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
        err.println(start + "batchweave: " + Names.onOneLine(message));
        err.flush();
    }
}
