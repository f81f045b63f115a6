/**
 * Rows of files that people can read: lines of JSON objects, also compressed by gzip or Zstandard,
 * and whole texts. A line, or a text, has at most 16 MiB.
 */
package io.batchweave.cli.rows.text;
