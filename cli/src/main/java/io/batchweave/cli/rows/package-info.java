/**
 * From files of rows to slices of rows, or to the texts of a dataset of tokens, and back from
 * provenance to rows.
 *
 * <ul>
 *   <li><b>Rows</b> are taken as they are and dealt to slices by number or by bytes. Where the
 *       inputs end, the last batch's slices have fewer rows, or none. Columns are found by name;
 *       one that the dataset does not have is passed over, one that is optional may be missing.
 *   <li><b>Texts.</b> For a dataset of tokens each row is a document, made of its text columns, and
 *       so is a text file. The tokenizer is told nothing of rows, nor of their order.
 * </ul>
 */
package io.batchweave.cli.rows;
