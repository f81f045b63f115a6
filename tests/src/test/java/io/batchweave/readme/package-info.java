/** The README's promises, kept: its examples compile, run, and say what it says they do. */
package io.batchweave.readme;
