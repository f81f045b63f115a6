/** The few ways in which work on a dataset fails, each named for what the caller can do next. */
package io.batchweave.errors;
