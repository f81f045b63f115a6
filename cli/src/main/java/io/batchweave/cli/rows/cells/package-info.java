/**
 * The cells of a slice: where a value of any input goes, column by column, or is refused because
 * something of it would be lost. Nothing here knows what kind of file a value comes from.
 *
 * <p>Tensors are taken as bytes, or as lists of numbers, which are checked against dtype and shape
 * one by one.
 */
package io.batchweave.cli.rows.cells;
