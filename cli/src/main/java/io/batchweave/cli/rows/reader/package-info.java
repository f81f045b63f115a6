/** What the readers of all kinds of files have in common: rows one by one, and how they fail. */
package io.batchweave.cli.rows.reader;
