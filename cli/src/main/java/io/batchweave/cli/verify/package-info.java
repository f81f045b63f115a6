/** Checks a dataset byte by byte against the rules of the format. */
package io.batchweave.cli.verify;
