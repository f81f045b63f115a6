package io.batchweave.sidecar.arena;

import java.time.Duration;

/**
 * What is done where shared memory is full.
 *
 * @param patience so long to wait for room, before the fetch fails
 * @param relief lets go of what nobody needs yet
 */
public record Pressure(Duration patience, Runnable relief) {}
