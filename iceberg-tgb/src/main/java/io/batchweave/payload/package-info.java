/**
 * Payload: the parts of a global batch as Arrow IPC files that any Arrow tool opens, framed so that
 * every buffer is aligned to 64 bytes, in the file and in memory.
 *
 * <p>Whatever is written or digested is first seen in one canonical form, in which equal content
 * has equal bytes: {@link io.batchweave.payload.PartWriter} sends that form to the store and {@link
 * io.batchweave.payload.LogicalDigest} to a digest. Nothing here holds a slice: the form is read
 * off the vectors while it is written.
 */
package io.batchweave.payload;
