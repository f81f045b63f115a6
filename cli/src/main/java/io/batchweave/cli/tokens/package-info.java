/**
 * From documents to rows of tokens.
 *
 * <ul>
 *   <li><b>Documents</b> come as {@link io.batchweave.cli.tokens.Units}, which know their place in
 *       the inputs. The tokenizer's end-of-text token follows every document; it counts as a token.
 *   <li><b>Rows.</b> Documents are laid end to end and cut into rows of equal length. Only where
 *       the inputs end is a row padded, by the end-of-text token, and its {@code valid} below its
 *       length.
 *   <li><b>Limits.</b> Memory does not depend on a document's length: 262,144 characters without
 *       the end of a word or number are refused.
 * </ul>
 */
package io.batchweave.cli.tokens;
