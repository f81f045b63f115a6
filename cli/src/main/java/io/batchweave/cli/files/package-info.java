/**
 * Where inputs lie: in files of this machine, or in objects of any store that {@link
 * io.batchweave.store.Stores} opens, called by their URIs.
 *
 * <p>Readers of Parquet, Arrow and lines ask for a name, a size and a channel that can go anywhere.
 * A local file gives its {@link java.nio.channels.FileChannel}. Three ways to give the same for an
 * object were weighed:
 *
 * <ul>
 *   <li><b>A file system provider</b> for {@link java.nio.file.Path} would have left every reader
 *       as it was. The libraries are one for each store, and bring clients, credentials, retries
 *       and errors of their own, beside those that the datasets use; one of ours would be dozens of
 *       methods, most of which make no sense for a store.
 *   <li><b>Copies on the local disk</b> need no ranges. They need as much disk as there are inputs
 *       (a shuffled ingest goes back to all of them), fetch whole files of which few columns are
 *       wanted, and leave a mess when killed.
 *   <li><b>A channel over {@link io.batchweave.store.ObjectStore#readInto}</b>, which is what is
 *       here: every store there is and will be, with its retries and its one-line errors, in one
 *       class that reads ahead by a bounded number of bytes.
 * </ul>
 *
 * <p>A {@link io.batchweave.cli.files.Location} is all that the rest knows. Folders and patterns
 * are found in one way for both kinds; a folder of a store is listed once.
 */
package io.batchweave.cli.files;
