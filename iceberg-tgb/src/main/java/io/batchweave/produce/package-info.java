/**
 * Producers: payload first, then the commit that makes it a step.
 *
 * <p>A producer is a name that outlives its processes. Each process that takes the name opens it in
 * the log and gets back the progress that was last committed; from then on the incarnation before
 * it can publish nothing. Leases and heartbeats were considered instead: they need clocks that
 * agree, and a stalled holder of a lease still writes.
 */
package io.batchweave.produce;
