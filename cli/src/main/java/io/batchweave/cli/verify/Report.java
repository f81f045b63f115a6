package io.batchweave.cli.verify;

import java.util.List;

/**
 * What was checked and what is wrong.
 *
 * @param repeats entries without effect, since they were in already or belonged to a replaced
 *     incarnation
 * @param swept steps whose payload is not looked for, since it may be deleted
 * @param orphans payload objects that no step names: left by a producer that was killed, or about
 *     to be published; zero where the log is damaged, for then nobody knows
 */
public record Report(
        long commits,
        long steps,
        long swept,
        long slices,
        long bytes,
        long repeats,
        long orphans,
        List<Finding> findings) {
    public Report {
        findings = List.copyOf(findings);
    }

    /** Whether nothing is wrong. */
    public boolean clean() {
        return findings.isEmpty();
    }
}
