/**
 * Slices in shared memory: each is fetched once, whoever asks for it, checked while it passes, and
 * written into a file that the processes of the node map.
 *
 * <p>Bytes go from the store's receive buffer, or the local file, through one small piece into the
 * file: that is the one copy that is made. Writing through a mapping would save a system call a
 * piece, and was rejected: where shared memory is full, a write fails and can be waited for, and a
 * mapping kills the process that touches it. A ring of memory that is used again and again was
 * rejected too: nothing tells how long a trainer holds what it was given; a file that was unlinked
 * is freed by the kernel when the last mapping of it is gone.
 */
package io.batchweave.sidecar.arena;
