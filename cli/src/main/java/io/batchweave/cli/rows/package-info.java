/**
 * From files of rows to slices of rows, for {@code batchweave ingest}.
 *
 * <ul>
 *   <li><b>Inputs.</b> Parquet, Arrow IPC files and streams, and lines of JSON objects, these also
 *       compressed by gzip or Zstandard; told by their first bytes, whatever they are called.
 *   <li><b>Columns.</b> They are found by name. One that the dataset does not have is passed over;
 *       one that is optional may be missing. Types may widen; whatever would lose something is
 *       refused.
 *   <li><b>Tensors.</b> They are taken as bytes, or as lists of numbers, which are checked against
 *       dtype and shape one by one.
 *   <li><b>Rows.</b> They are taken as they are and dealt to slices by number or by bytes. Where
 *       the inputs end, the last batch's slices have fewer rows, or none.
 *   <li><b>Order.</b> That of the inputs, each of which is opened when its turn comes; or one of
 *       {@link io.batchweave.cli.order}, shuffled, in epochs, in parts, for which all inputs are
 *       read once before. There a feed goes through windows of rows at given places, which it loads
 *       whole if they are shuffled and streams if not.
 *   <li><b>Texts.</b> For a dataset of tokens each row is a document, made of its text columns, and
 *       so is a text file of at most 16 MiB. The tokenizer is told nothing of rows, nor of their
 *       order.
 *   <li><b>Progress.</b> In an order of windows: a digest of all inputs, the epoch, the window and
 *       how many of its rows lie before; nothing may change. In that of the inputs: a position
 *       between two rows: the inputs before it as a count and a digest of their names and lengths;
 *       its own input's name, length and digest; and how many of its rows lie before. Later inputs,
 *       and lines added to the last JSONL file, extend an ingest; whatever would change what was
 *       ingested is refused.
 *   <li><b>Limits.</b> A line has at most 16 MiB, and the columns of a Parquet row group a third of
 *       the heap. A record batch lies outside of the heap, and so does a window, whose values have
 *       at most 1 GiB.
 * </ul>
 */
package io.batchweave.cli.rows;
