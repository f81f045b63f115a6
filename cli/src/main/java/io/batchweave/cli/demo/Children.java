package io.batchweave.cli.demo;

import io.batchweave.errors.UnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All processes that a demo starts: they end with it, however it ends. Safe for several threads.
 */
public final class Children implements AutoCloseable {
    private final Path folder;
    private final List<Child> started = new ArrayList<>();
    private boolean closed;

    /**
     * None yet.
     *
     * @param folder an existing folder for what they print
     */
    public Children(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts a {@code batchweave} command.
     *
     * @param name in messages and in the names of the files with its output
     */
    synchronized Child start(String name, List<String> arguments) {
        if (closed) {
            throw new UnavailableException("Cannot start " + name + ": the demo was interrupted");
        }
        Child child = Child.start(name, folder, arguments);
        started.add(child);
        return child;
    }

    /** Kills those that still run and waits until they are gone; no more can be started. */
    @Override
    public synchronized void close() {
        closed = true;
        started.forEach(Child::kill);
    }
}
