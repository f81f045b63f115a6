/**
 * The real log, producers and readers in a simulated world that one seed decides: every call of the
 * store and every pause is a move, one thread moves at a time ({@link
 * io.batchweave.testing.Turns}), and requests are lost, late, repeated and answered wrongly while
 * processes are killed, frozen and started again.
 *
 * <ul>
 *   <li>{@code Simulation}: who takes part, the storm and the calm day after it
 *   <li>{@code Program}: what a process does; a new kind of participant is a new program, added to
 *       the cast
 *   <li>{@code Witness}, {@code WatchedStore}: what must be true of what participants are told and
 *       of what they send; {@code LogModel}: what the log means, in nobody else's code
 *   <li>{@code SmallScope}: all interleavings of a few participants, instead of some of many
 *   <li>{@code SeededBugsIT}: the code with known bugs; each must be found
 * </ul>
 *
 * <p>Threads of one process may wait for each other only by their world's pause. So each process
 * has a log of its own: two threads on one log would meet at its lock, which is held across calls.
 */
package io.batchweave.sim;
