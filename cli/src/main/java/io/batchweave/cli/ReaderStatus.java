package io.batchweave.cli;

import io.batchweave.log.Log;
import io.batchweave.model.Names;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Session;
import io.batchweave.state.Settings;
import io.batchweave.state.Skipped;
import io.batchweave.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How the readers of a dataset stand: its jobs, and what they pass over. */
final class ReaderStatus {
    private final Log log;
    private final State state;

    ReaderStatus(Log log) {
        this.log = log;
        this.state = log.state();
    }

    /** For people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!state.settings().equals(Settings.DEFAULT)) {
            SettingText.all(state.settings())
                    .forEach(setting -> lines.add("setting " + SettingText.of(setting)));
        }
        state.jobs().forEach((name, job) -> lines.add(line(name, job)));
        state.skips().records().forEach(skip -> lines.add(line(skip)));
        return lines;
    }

    private String line(String name, JobState job) {
        if (!job.isAttached()) {
            return "job " + name + "  detached";
        }
        Position pin = job.pin();
        return "job %s  at %s%s  lag %d  pins %s (%d bytes) from step %d on, since %s"
                .formatted(
                        name,
                        job.position(),
                        job.session().map(in -> "  session " + in.id() + skips(in)).orElse(""),
                        state.nextStep() - job.position().nextStep(),
                        Output.count(state.nextStep() - pin.nextStep(), "step", "steps"),
                        log.bytesFrom(pin.nextStep()),
                        pin.nextStep(),
                        pin.at());
    }

    private static String skips(Session session) {
        var skipped = session.passed().from(session.start().nextStep());
        return skipped.isEmpty() ? "" : " skips " + skipped;
    }

    static String line(Skipped skip) {
        return "skip %s  since %s  %s"
                .formatted(skip.steps(), skip.at(), Names.onOneLine(skip.reason()));
    }

    List<Map<String, Object>> jobs() {
        List<Map<String, Object>> jobs = new ArrayList<>();
        state.jobs().forEach((name, job) -> jobs.add(object(name, job)));
        return jobs;
    }

    private Map<String, Object> object(String name, JobState job) {
        Map<String, Object> object =
                Output.object(
                        "job", name,
                        "attached", job.isAttached(),
                        "from_step", job.attached().nextStep(),
                        "since", job.attached().at().toString(),
                        "keep", job.keep());
        if (job.isAttached()) {
            Position pin = job.pin();
            object.put("checkpoint", job.position().checkpoint());
            object.put("next_step", job.position().nextStep());
            object.put("lag_steps", state.nextStep() - job.position().nextStep());
            object.put("pinned_from", pin.nextStep());
            object.put("pinned_steps", state.nextStep() - pin.nextStep());
            object.put("pinned_bytes", log.bytesFrom(pin.nextStep()));
            object.put("pinned_since", pin.at().toString());
            object.put("checkpoints", job.checkpoints().stream().map(this::object).toList());
            job.session().ifPresent(session -> object.put("session", object(session)));
        }
        return object;
    }

    private Map<String, Object> object(Position checkpoint) {
        return Output.object(
                "checkpoint", checkpoint.checkpoint(),
                "next_step", checkpoint.nextStep(),
                "receipt", checkpoint.receipt().toHex(),
                "at", checkpoint.at().toString());
    }

    private Map<String, Object> object(Session session) {
        long start = session.start().nextStep();
        return Output.object(
                "session", session.id(),
                "start_step", start,
                "skips", Output.ranges(session.passed().from(start)),
                "since", session.at().toString());
    }

    List<Map<String, Object>> skips() {
        return state.skips().records().stream().map(ReaderStatus::object).toList();
    }

    static Map<String, Object> object(Skipped skip) {
        return Output.object(
                "first", skip.steps().first(),
                "last", skip.steps().last(),
                "reason", skip.reason(),
                "since", skip.at().toString());
    }
}
