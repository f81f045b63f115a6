/**
 * Objects as files of a Hadoop file system: HDFS, and what its connectors reach.
 *
 * <p>An object is the file of its key. Its bytes are written to a file in {@code .uploads}, which
 * no listing shows. HDFS forces every block of it to the disks of its datanodes as the block ends.
 * Then it is renamed to its key, without leave to replace anything.
 *
 * <p>Three ways to create were considered:
 *
 * <ul>
 *   <li><b>Write aside, then rename without replacing</b> (chosen). The NameNode decides alone,
 *       under its lock, and answers once its journal has it: of many renames to one key one
 *       succeeds, and nobody ever sees half an object. A rename whose answer is lost is settled by
 *       the file that was to be renamed: whoever still can remove that knows that it was not
 *       renamed, and that a late request will find nothing to rename. It costs one request more,
 *       and a writer that dies leaves a file that others remove after a day.
 *   <li><b>Create at the key, refusing to replace.</b> One request less, and just as atomic; but
 *       what is created is an empty file. Readers would see it grow, and of a writer that died a
 *       short object would stay under a key that nobody may write again.
 *   <li><b>The same, with the file's lease as the mark of what is not yet whole.</b> Readers would
 *       ask whether a file is still open, for one more request each. But a lease that ran out
 *       closes the file of a dead writer for it, and that cannot be told from one that was
 *       finished; to remove it is to delete what another writer may just have finished.
 * </ul>
 *
 * <p>Another file system is used if its rename is one operation of its server (Azure's, with a
 * hierarchical namespace); it says so by keeping a file's tag over it. All others are refused:
 * their rename copies and deletes, or looks before it renames. Besides, whatever is used is probed
 * before the first write to a dataset.
 *
 * <p>What else to know of HDFS:
 *
 * <ul>
 *   <li>No answer of it carries a time, so store time (STORE-5) is the world's clock: it says when
 *       an answer was here, by this machine, and is not to be compared with that of another
 *       machine.
 *   <li>The NameNode shows a rename a moment before its journal has it. The journal has an order,
 *       so a creator is refused once the removal of its own file is in there, and what anybody
 *       commits after seeing an object is lost with it or not at all. Readers alone have no way to
 *       wait: if the NameNode dies within that moment and forgets the object, they have seen what
 *       never was, and their receipt disagrees with the log's.
 *   <li>An observer NameNode is behind. Where clients are set to read from one, set them to wait
 *       for it with each request ({@code dfs.client.failover.observer.auto-msync-period}, 0).
 *   <li>Hadoop tries again by itself what may be tried again. Where nobody has set its limits, they
 *       are set here so that a request to a host that is not there fails within about a minute.
 * </ul>
 */
package io.batchweave.store.hadoop;
