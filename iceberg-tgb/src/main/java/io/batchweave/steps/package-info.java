/**
 * The fold: the log of a dataset as two ordinary Iceberg tables, which engines read that know
 * nothing of BatchWeave.
 *
 * <p>Three ways to fold every step once were considered. A position kept beside the table is a
 * second truth, which a rollback or a lost answer makes wrong. Merging rows by key, as with
 * equality deletes, makes every reader pay, and some engines cannot write it. Here the table itself
 * says how far it is: steps are consecutive, so the highest one in its manifests' bounds is it, and
 * each attempt to commit is let in only while that is what it was. So a failure, an answer that
 * never came and a lost race all end in another look.
 *
 * <p>What became of an entry only the State before it tells. To read the log from its beginning for
 * that costs too much, and States that trainers go on from are too new; so a State is kept beside
 * the events, which may be missing, and then the log is read.
 *
 * <p>What others did to a table is told by the number and the bounds of its rows, by its columns,
 * and by what the snapshots since the last fold say they are; to read the rows, or to ask the store
 * for each file, would make every fold cost as much as the whole table. So files that are gone go
 * unnoticed, and a rebuild mends that as it mends all else. It replaces what the table holds rather
 * than dropping it, since tags and branches of others stay then. What the table held before is told
 * by an id in snapshots: by their ancestry it could not be, which ends where one was expired.
 *
 * <p>Files are merged by size as they come, because stock maintenance runs once a day at best, and
 * one that sorted the whole table would write all of it again each time.
 *
 * <p>A producer that folds does it beside publishing and behind a number of its commits. To fold as
 * a part of each commit would let training wait for a catalog; to fold by time would wake idle
 * processes, and a thousand producers would fold as often as one that is busy.
 */
package io.batchweave.steps;
