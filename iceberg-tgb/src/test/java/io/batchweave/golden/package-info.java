/**
 * The golden vectors in {@code format-spec/vectors}: what another implementation wrote, and what it
 * found there, must be what this one finds.
 */
package io.batchweave.golden;
