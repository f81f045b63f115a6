/**
 * A text that changes in versions, on a store that has nothing but create-if-absent.
 *
 * <p>Version N is the object {@code vN.metadata.json} of a folder, and the highest one is the text.
 * A change is made by creating the next one. To drop the text is to create {@code
 * xN.metadata.json.dropped}, which voids every version up to N; later texts start above it, so that
 * no number is ever used for a second time. It keeps the last text, by which what hung on it is
 * found again after a crash.
 *
 * <p>Create-if-absent forgets: once {@code v42} is deleted as an old version, a writer that slept
 * can create it again and believe that it won. So nothing is reported as done before a look at the
 * folder that was sent after the create: while nothing lies above our version it is the newest one,
 * and the newest is never deleted. If something does, it decides: every text carries the ids of the
 * last hundred changes that led to it, and ours is among them or is not. To tell old versions by
 * their content was considered; two changes may have the same. A limit on the time between look and
 * create was considered too; but others who clean up do not know it.
 */
package io.batchweave.catalog.register;
