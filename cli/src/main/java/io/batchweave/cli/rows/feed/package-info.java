/**
 * The rows of many inputs in one order, from any committed position on.
 *
 * <ul>
 *   <li><b>Kinds.</b> Inputs are told by their first bytes, whatever they are called.
 *   <li><b>In the order of the inputs</b> each is opened when its turn comes. A position is: the
 *       inputs before it as a count and a digest of their names and lengths; its own input's name,
 *       length and digest; and how many of its rows lie before. Later inputs, and lines added to
 *       the last JSONL file, extend an ingest.
 *   <li><b>In an order of {@link io.batchweave.cli.order}</b>, shuffled, in epochs, in parts, all
 *       inputs are read once before. A feed goes through windows of rows at given places, which it
 *       loads whole if they are shuffled and streams if not. A position is: a digest of all inputs,
 *       the epoch, the window and how many of its rows lie before; nothing may change. A window
 *       lies outside of the heap, and its values have at most 1 GiB.
 * </ul>
 */
package io.batchweave.cli.rows.feed;
