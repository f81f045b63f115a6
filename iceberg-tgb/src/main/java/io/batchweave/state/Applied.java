package io.batchweave.state;

import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import java.util.List;
import java.util.Optional;

/**
 * A commit and what it did.
 *
 * @param state the State after it
 * @param verdicts one for each entry, in the commit's order
 * @param cut the old steps whose records the State no longer has, in order
 */
public record Applied(State state, List<Verdict> verdicts, List<Segment> cut) {
    public Applied {
        cut = List.copyOf(cut);
        verdicts = List.copyOf(verdicts);
    }

    /** Whether every entry was in the log before. */
    public boolean repeats() {
        return verdicts.stream().allMatch(verdict -> reason(verdict) == Reason.ALREADY_IN);
    }

    /** The first entry that is without effect and was not in the log before either. */
    public Optional<Ignored> loss() {
        return verdicts.stream()
                .filter(
                        verdict ->
                                verdict instanceof Ignored && reason(verdict) != Reason.ALREADY_IN)
                .map(Ignored.class::cast)
                .findFirst();
    }

    private static Reason reason(Verdict verdict) {
        return verdict instanceof Ignored ignored ? ignored.reason() : null;
    }
}
