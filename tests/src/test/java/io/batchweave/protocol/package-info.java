/** The protocol model of {@code format-spec/model} is searched to its end by SPIN. */
package io.batchweave.protocol;
