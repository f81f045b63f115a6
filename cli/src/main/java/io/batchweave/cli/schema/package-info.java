/** Payload schemas as people write them. */
package io.batchweave.cli.schema;
