/** The {@code batchweave} command. */
package io.batchweave.cli;
