/**
 * Objects in a bucket of Amazon S3, or of a server that speaks its protocol.
 *
 * <p>Create-if-absent is {@code If-None-Match: *}, of a PUT or of the completion of an upload in
 * parts. A server that ignores it would lose data silently, so it is probed before the first write
 * to a dataset.
 *
 * <p>Three clients of the AWS SDK were considered:
 *
 * <ul>
 *   <li><b>Blocking, over Apache's HTTP</b> (chosen). {@link io.batchweave.store.ObjectStore}
 *       blocks, so a request is a call: its outcome, its interruption and its time-out are found
 *       where it was made. Reads arrive in an array of ours and are copied once, into the caller's
 *       buffer. A refused PUT leaves the connection usable. It adds 9 MB to a class path, all of it
 *       Java.
 *   <li><b>CRT</b>, native code: splits and checks large transfers by itself, and is the fastest
 *       there is. But it hands bytes over in arrays of its own, which is the same copy, retries
 *       below us, takes memory no limit of ours counts, and is a native library for each platform.
 *   <li><b>Netty</b>, asynchronous: many requests on few threads. Ranks and producers make few
 *       requests, and large ones; each would wait for a future, in threads of two kinds, with two
 *       more copies in pooled buffers and 5 MB more.
 * </ul>
 *
 * <p>The SDK never tries again by itself, since that turns a success whose answer was lost into a
 * refusal. Reads, listings, deletions, and the pieces and the end of uploads are tried again here,
 * with jitter, within a deadline; a create of bytes that its writer still has is not, because
 * whoever asked for it looks and decides.
 */
package io.batchweave.store.s3;
