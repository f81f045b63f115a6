package io.batchweave.cli;

import java.io.PrintStream;
import java.time.InstantSource;

/**
 * A line on the terminal that tells how far long work has come; nothing where standard error is no
 * terminal.
 */
final class Progress implements AutoCloseable {
    private static final long SHOW_EVERY_MS = 100;

    private final String what;
    private final PrintStream terminal = System.err;
    private final boolean shown = Terminal.showsErrors();
    private final InstantSource clock;
    private long lastShownMs;
    private boolean written;

    Progress(String what, InstantSource clock) {
        this.what = what;
        this.clock = clock;
    }

    /** Shows a count, but not too often. */
    void at(long count) {
        long nowMs = clock.millis();
        if (shown && nowMs - lastShownMs >= SHOW_EVERY_MS) {
            terminal.print("\r" + count + " " + what);
            terminal.flush();
            lastShownMs = nowMs;
            written = true;
        }
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (written) {
            terminal.print("\r\u001b[K");
            terminal.flush();
            written = false;
        }
    }
}
