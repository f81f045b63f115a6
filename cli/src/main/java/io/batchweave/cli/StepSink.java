package io.batchweave.cli;

import io.batchweave.read.StepBatch;

/** Where {@code read} puts what it reads. */
interface StepSink extends AutoCloseable {
    /** Takes one step; what it gives is the caller's to close. */
    void take(StepBatch step);

    /** Whether anybody still listens. */
    boolean isOpen();

    /** Says that no step follows. Who is closed without it was cut off. */
    void end();

    @Override
    void close();
}
