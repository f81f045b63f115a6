package io.batchweave.testing;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor that begins a task when the test says so, in the thread that says it. */
public final class HandExecutor implements Executor {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean shutDown;

    @Override
    public synchronized void execute(Runnable task) {
        if (shutDown) {
            throw new RejectedExecutionException("shut down");
        }
        tasks.add(task);
    }

    /** Tasks that have not begun. */
    public synchronized int waiting() {
        return tasks.size();
    }

    /** Takes the oldest task, which is there, away from it. */
    public synchronized Runnable takeNext() {
        return tasks.remove();
    }

    /** Runs the oldest task, which is there. */
    public void runNext() {
        takeNext().run();
    }

    /** Runs all tasks, also those that come up meanwhile. */
    public void runAll() {
        while (waiting() > 0) {
            runNext();
        }
    }

    /** Drops all tasks and takes no further one, like {@code ExecutorService.shutdownNow}. */
    public synchronized void shutDownNow() {
        shutDown = true;
        tasks.clear();
    }
}
