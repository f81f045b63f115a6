package io.batchweave.sim;

/**
 * What a process does from its start to its end. A process that is killed is started again with the
 * same program, whose fields are what outlives it: a checkpoint, say.
 */
@FunctionalInterface
interface Program {
    /** Returns when there is nothing left to do, or when it has had enough of failures. */
    void run(Life life);
}
