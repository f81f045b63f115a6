package io.batchweave.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Whether standard error is something that people look at as it comes. */
final class Terminal {
    private static final Path STANDARD_ERROR = Path.of("/dev/stderr");
    private static final Pattern TERMINALS = Pattern.compile("/dev/(pts/|tty|console).*");

    private Terminal() {}

    /** False where the system does not tell: then nothing moves, and nothing is lost. */
    static boolean showsErrors() {
        try {
            return TERMINALS.matcher(STANDARD_ERROR.toRealPath().toString()).matches();
        } catch (IOException e) {
            return false;
        }
    }
}
