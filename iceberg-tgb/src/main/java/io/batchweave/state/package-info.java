/**
 * What a log means. {@link io.batchweave.state.State#apply} is the only place where a commit is
 * given a meaning: it is a pure function, so every participant that applied the same commits holds
 * the same State.
 */
package io.batchweave.state;
