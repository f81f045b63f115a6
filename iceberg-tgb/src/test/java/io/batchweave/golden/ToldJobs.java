package io.batchweave.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.model.Bytes;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import io.batchweave.state.JobState;
import io.batchweave.state.Position;
import io.batchweave.state.Receipts;
import io.batchweave.state.Retention;
import io.batchweave.state.Session;
import io.batchweave.state.Settings;
import io.batchweave.state.Skipped;
import io.batchweave.state.State;
import java.util.List;

/** What this implementation found of jobs, skips and settings, in the words of the vectors. */
final class ToldJobs {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private ToldJobs() {}

    static void add(State state, ObjectNode told) {
        if (!state.jobs().isEmpty()) {
            ObjectNode jobs = told.putObject("jobs");
            state.jobs().forEach((name, job) -> jobs.set(name, job(state, job)));
            told.put("kept_from", Retention.keptFrom(state, state.time()));
        }
        if (!state.skips().records().isEmpty()) {
            ArrayNode skips = told.putArray("skips");
            state.skips().records().forEach(record -> skips.add(skipped(record)));
        }
        if (!state.settings().equals(Settings.DEFAULT)) {
            told.set("settings", settings(state.settings()));
        }
    }

    private static JsonNode job(State state, JobState job) {
        ObjectNode told = JSON.objectNode();
        told.put("attachment_id", job.attachmentId());
        told.put("attached", job.isAttached());
        told.put("version", job.version());
        told.put("keep", job.keep());
        told.set("from", place(job.attached()));
        told.set("position", place(job.position()));
        told.set("session", job.session().map(ToldJobs::session).orElse(JSON.nullNode()));
        told.set("former_sessions", JSON.arrayNode().addAll(texts(job.formerSessions())));
        ArrayNode checkpoints = told.putArray("checkpoints");
        job.checkpoints().forEach(kept -> checkpoints.add(place(kept)));
        told.put("pin", job.pin().nextStep());
        Bytes chain = state.receiptBefore(job.position().nextStep()).orElseThrow();
        told.put("given", Receipts.given(chain, job.position().passed()).toHex());
        return told;
    }

    private static List<JsonNode> texts(List<String> texts) {
        return texts.stream().map(text -> (JsonNode) JSON.textNode(text)).toList();
    }

    private static JsonNode session(Session session) {
        return JSON.objectNode()
                .put("id", session.id())
                .put("version", session.version())
                .put("time", session.at().toEpochMilli())
                .<ObjectNode>set("start", place(session.start()))
                .set("passed", ranges(session.passed()));
    }

    private static JsonNode place(Position position) {
        return JSON.objectNode()
                .put("checkpoint", position.checkpoint())
                .put("next_step", position.nextStep())
                .put("receipt", position.receipt().toHex())
                .put("time", position.at().toEpochMilli())
                .set("passed", ranges(position.passed()));
    }

    private static JsonNode skipped(Skipped record) {
        return JSON.objectNode()
                .put("reason", record.reason())
                .put("time", record.at().toEpochMilli())
                .set("steps", range(record.steps()));
    }

    private static JsonNode ranges(StepRanges steps) {
        ArrayNode told = JSON.arrayNode();
        steps.ranges().forEach(range -> told.add(range(range)));
        return told;
    }

    private static JsonNode range(StepRange steps) {
        return JSON.arrayNode().add(steps.first()).add(steps.last());
    }

    /** Those that are not as they are in a new dataset. */
    private static JsonNode settings(Settings settings) {
        ObjectNode told = JSON.objectNode();
        if (settings.retention() == RetentionPolicy.FOREVER) {
            told.put("retention", "FOREVER");
        }
        put(told, "keep_steps", settings.keepSteps());
        put(told, "keep_for", settings.keepFor().toMillis());
        put(told, "max_lead", settings.maxLead());
        return told;
    }

    private static void put(ObjectNode told, String name, long value) {
        if (value != 0) {
            told.put(name, value);
        }
    }
}
