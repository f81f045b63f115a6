/**
 * Objects as files below a folder of a POSIX file system, which has hard links, file locks and
 * durable folders: ext4, XFS, btrfs, ZFS, APFS, NFS.
 *
 * <p>An object is the file of its key. Names that start with a dot belong to the store:
 *
 * <ul>
 *   <li>{@code .uploads/<writer>/} holds the unfinished files of one living writer, who locks it.
 *   <li>{@code .durable} in a folder says that the folder's own name, and those of all folders
 *       above it, would survive a crash of the machine.
 * </ul>
 *
 * <p>A create writes a file in {@code .uploads}, syncs it, links it to its key, syncs the key's
 * folder, and removes the first name. Linking is atomic among processes and fails if the key
 * exists. Between linking and syncing the object can be seen and a crash of the machine could still
 * take it back; exactly then its file has two names. Whoever meets such an object, a reader or a
 * creator who is refused, syncs the folder before telling of it.
 */
package io.batchweave.store.local;
