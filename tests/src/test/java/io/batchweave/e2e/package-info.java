/** The {@code batchweave} command as a user meets it, in this process and in real ones. */
package io.batchweave.e2e;
