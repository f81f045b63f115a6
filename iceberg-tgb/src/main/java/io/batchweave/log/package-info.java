/**
 * The log of a dataset: append, catch up, tail.
 *
 * <p>Two other ways to order writers were considered. A pointer file replaced by compare-and-swap
 * (as Iceberg catalogs do) makes every commit rewrite what grows, and needs a condition that HDFS
 * lacks. Optimistic commits that carry an expected parent need a rebase on every conflict; here
 * nothing that a commit says depends on where it lands, so a loser offers the same bytes at the
 * next version and {@code apply} alone decides what they mean.
 *
 * <p>Old commits are trimmed behind a saved State, and so a version may be created twice. Three
 * ways to live with that were considered. To leave a marker in place of each commit keeps as many
 * objects as there were. To give participants leases needs clocks that agree, and makes trimming
 * wait for whoever died. Here everyone looks for boundaries before anything that rests on what it
 * read leaves the process; where the store tells its time, that look is hardly ever needed. What is
 * trimmed is packed, so that the history stays whole, and the pack is what stops a second life of a
 * commit from being taken for the first.
 */
package io.batchweave.log;
