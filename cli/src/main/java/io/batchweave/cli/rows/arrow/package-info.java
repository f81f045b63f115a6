/** Rows of Arrow IPC files and streams, a record batch at a time, outside of the heap. */
package io.batchweave.cli.rows.arrow;
