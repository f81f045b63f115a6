/**
 * Coverage-guided fuzzing of all that reads bytes somebody else wrote.
 *
 * <p>A target is a class that does with any bytes what a reader would: it returns, or throws what
 * its method documents; anything else is a finding. {@link io.batchweave.fuzz.CorpusTest} runs each
 * over the corpus that is kept, in which every past finding is; {@link io.batchweave.fuzz.FuzzIT}
 * searches on from there, for some seconds in every build and for as long as {@code -Dfuzz.seconds}
 * says.
 *
 * <p>The fuzzer runs in a process of its own. Its JUnit extension was considered; it fuzzes one
 * target a build, and decides in the environment whether it fuzzes at all.
 */
package io.batchweave.fuzz;
