package io.batchweave.cli;

import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.Session;
import io.batchweave.state.Skipped;
import io.batchweave.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who passes over one step: sessions that start now, and those of attached jobs. The two differ,
 * for a session keeps what it found when it started. What a job is not given because it attached
 * further on, it does not skip.
 */
final class StepSkips {
    private final long step;
    private final List<Skipped> skips;
    private final List<Session> sessions;

    StepSkips(State state, long step) {
        this.step = step;
        this.skips =
                state.skips().records().stream()
                        .filter(skip -> StepRanges.of(skip.steps()).contains(step))
                        .toList();
        this.sessions =
                state.jobs().values().stream()
                        .filter(job -> job.attached().nextStep() <= step)
                        .flatMap(job -> job.session().stream())
                        .filter(session -> session.passed().contains(step))
                        .toList();
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        skips.forEach(skip -> lines.add(ReaderStatus.line(skip)));
        sessions.forEach(session -> lines.add(line(session)));
        return lines;
    }

    private String line(Session session) {
        return "job %s  session %s skips %s  since %s"
                .formatted(session.job(), session.id(), around(session), session.at());
    }

    private StepRange around(Session session) {
        return session.passed().ranges().stream()
                .filter(range -> StepRanges.of(range).contains(step))
                .findFirst()
                .orElseThrow();
    }

    List<Map<String, Object>> skips() {
        return skips.stream().map(ReaderStatus::object).toList();
    }

    List<Map<String, Object>> sessions() {
        return sessions.stream()
                .map(
                        session ->
                                Output.object(
                                        "job", session.job(),
                                        "session", session.id(),
                                        "since", session.at().toString()))
                .toList();
    }
}
