/**
 * Values to bytes and back. Every metadata object is an Avro object container file with a fixed
 * header, one record per block, no compression and a checksum over the whole, so that equal content
 * gives equal bytes and any Avro tool can read it.
 *
 * <p>Considered and rejected: Avro's single-object encoding (smaller, but an object could not be
 * read without this software), a checksum after the end (Avro tools would take it for a broken
 * block), generated classes (a second set of nouns). Records of the model and records of the schema
 * have the same names instead, and {@link io.batchweave.codec.RecordBinder} holds them together.
 */
package io.batchweave.codec;
