/** Tests of the launcher: the shell script that people call as {@code batchweave}. */
package io.batchweave.launcher;
