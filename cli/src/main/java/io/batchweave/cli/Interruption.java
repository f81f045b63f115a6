package io.batchweave.cli;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a signal ended the command before it came to its end by itself. Only one of the two
 * speaks: an interrupted command does not also complain of what was taken from it.
 */
final class Interruption {
    private enum Phase {
        RUNNING,
        OVER,
        INTERRUPTED
    }

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.RUNNING);
    private volatile Interruptible command = () -> "nothing was changed; run the same again";

    /** Says which command is about to run. */
    void concerns(Object started) {
        if (started instanceof Interruptible interruptible) {
            command = interruptible;
        }
    }

    /** The command has come to its end; returns whether it may say how. */
    boolean end() {
        return phase.compareAndSet(Phase.RUNNING, Phase.OVER) || phase.get() == Phase.OVER;
    }

    /** The process ends; says so if the command has not come to its end. */
    void processEnds(ErrorLines errors) {
        if (phase.compareAndSet(Phase.RUNNING, Phase.INTERRUPTED)) {
            errors.tell("Interrupted: " + command.interrupt());
        }
    }
}
