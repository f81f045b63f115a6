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
 * <p>Files are merged by size as they come, because stock maintenance runs once a day at best, and
 * one that sorted the whole table would write all of it again each time.
 *
 * <p>A producer that folds does it beside publishing and behind a number of its commits. To fold as
 * a part of each commit would let training wait for a catalog; to fold by time would wake idle
 * processes, and a thousand producers would fold as often as one that is busy.
 */
package io.batchweave.steps;
