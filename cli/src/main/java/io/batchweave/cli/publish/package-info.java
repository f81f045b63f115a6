/**
 * A producer for programs in any language, which pipe Arrow into this process; the contract is
 * {@code cli/publish.md}.
 *
 * <p>A child process was chosen over a service that many programs share: it lives as long as its
 * parent's pipe, so that nobody has to find, start or stop it, and each producer is fenced, limited
 * and killed alone. A binding of the library to each language would do the same work once more in
 * each.
 */
package io.batchweave.cli.publish;
