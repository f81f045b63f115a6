package io.batchweave.cli;

/** A command that has something to say when a signal ends it: Ctrl-C, or a scheduler. */
interface Interruptible {
    /**
     * Ends what the command has started outside of this process, and returns what stays and what to
     * do. Runs beside the command, in the process's last moments.
     */
    String interrupt();
}
