/**
 * What training jobs leave in the log: that they are there, where they start, what they have saved.
 * It decides what must be kept, and proves what was given.
 *
 * <p>Everything here is an entry of the log like any other, appended by the same loop (LOG-3). A
 * coordinator that hands out sessions was considered, and leases for jobs: both are one more thing
 * that can be gone when a job of a thousand nodes starts. The log is there anyway, and of the ranks
 * that ask for a session at once one has created it.
 *
 * <p>What the log says nobody needs, a sweep deletes; {@link io.batchweave.retain.Sweep} tells
 * which other ways there were to find it.
 */
package io.batchweave.retain;
