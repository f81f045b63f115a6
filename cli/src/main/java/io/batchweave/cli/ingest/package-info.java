/**
 * From files to rows of tokens, for {@code batchweave ingest}.
 *
 * <ul>
 *   <li><b>Documents.</b> A text file is one document; a JSONL record is one, made of its chosen
 *       fields with a line feed between them. Blank lines and empty texts are none. The tokenizer's
 *       end-of-text token follows every document; it counts as a token. Documents can also come
 *       from elsewhere, as {@link io.batchweave.cli.ingest.Units}: this package packs them, and
 *       asks their source for the place to commit.
 *   <li><b>Rows.</b> Documents are laid end to end and cut into rows of equal length. Only where
 *       the inputs end is a row padded, by the end-of-text token, and its {@code valid} below its
 *       length.
 *   <li><b>Names.</b> Progress names an input by its path below the argument that named it: {@code
 *       data/a.txt} is {@code a.txt}, and so is {@code a.txt} below the folder {@code data} or
 *       found by {@code 'data/*.txt'}. So an ingest can go on from another working folder.
 *   <li><b>Progress.</b> A position between two tokens: the inputs before it as a count and a
 *       digest of their names and lengths, and in its own input an offset, the tokens behind it and
 *       a digest of all bytes read. Later inputs, and records added to the end of the last JSONL
 *       file, extend an ingest; whatever would change what was ingested is refused.
 *   <li><b>Limits.</b> Memory does not depend on the inputs' sizes. A JSON record has at most 16
 *       MiB, and 262,144 characters without the end of a word or number are refused.
 * </ul>
 */
package io.batchweave.cli.ingest;
