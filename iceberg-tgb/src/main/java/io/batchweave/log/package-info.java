/**
 * The log of a dataset: append, catch up, tail.
 *
 * <p>Two other ways to order writers were considered. A pointer file replaced by compare-and-swap
 * (as Iceberg catalogs do) makes every commit rewrite what grows, and needs a condition that HDFS
 * lacks. Optimistic commits that carry an expected parent need a rebase on every conflict; here
 * nothing that a commit says depends on where it lands, so a loser offers the same bytes at the
 * next version and {@code apply} alone decides what they mean.
 */
package io.batchweave.log;
