/**
 * Text files and plain JSON lines in their own order, read piece by piece however long they are.
 *
 * <ul>
 *   <li><b>Documents.</b> A text file is one document; a JSONL record is one, made of its chosen
 *       fields with a line feed between them. Blank lines and empty texts are none.
 *   <li><b>Progress.</b> A position between two tokens: the inputs before it as a count and a
 *       digest of their names and lengths, and in its own input an offset, the tokens behind it and
 *       a digest of all bytes read. Later inputs, and records added to the end of the last JSONL
 *       file, extend an ingest; whatever would change what was ingested is refused.
 *   <li><b>Limits.</b> Memory does not depend on the inputs' sizes. A JSON record has at most 16
 *       MiB.
 * </ul>
 */
package io.batchweave.cli.texts;
