/**
 * The nouns of BatchWeave, as immutable values. They check themselves when they are made, so that a
 * value that exists is a value that makes sense; they know nothing of bytes, files or the network.
 */
package io.batchweave.model;
