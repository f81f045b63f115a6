/**
 * What a trainer rank uses: its place on the mesh, its cursor, and an iterator over its slices as
 * Arrow record batches whose buffers are the fetched memory.
 *
 * <p>Reading is pulled: {@link io.batchweave.read.StepReader#next} looks into the log only when
 * every step it knows is fetched or on its way, so a rank with a runway asks the log for nothing. A
 * push from a tailing thread was considered; it makes requests that nobody waits for and needs a
 * buffer of its own.
 *
 * <p>A step that another thread fetches and that takes unusually long is fetched once more by the
 * same executor, one at a time and one of twenty at most ({@link io.batchweave.read.FetchLimits}).
 * Whoever waits does not fetch it himself, as he could not leave that when the other one comes.
 *
 * <p>Native code in the same process gets steps through the Arrow C Data Interface ({@link
 * io.batchweave.read.NativeExport}). Handing out addresses in a form of our own was considered: it
 * would tell neither types nor who frees what.
 */
package io.batchweave.read;
