package io.batchweave.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.model.Part;
import io.batchweave.model.Provenance;
import io.batchweave.model.Slice;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import io.batchweave.state.FormerEpoch;
import io.batchweave.state.ProducerState;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import java.util.List;

/** What this implementation found, in the words of {@code expected.json}. */
final class Told {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Told() {}

    static JsonNode state(State state) {
        ObjectNode told = JSON.objectNode();
        told.put("version", state.version());
        told.put("time", state.time().toEpochMilli());
        told.put("sealed", state.phase() == State.Phase.SEALED);
        told.put("receipt", state.receipt().toHex());
        told.put("steps", state.nextStep());
        ObjectNode producers = told.putObject("producers");
        state.producers().forEach((name, producer) -> producers.set(name, producer(producer)));
        if (state.lowStep() > 0) {
            told.put("low_step", state.lowStep());
            told.put("swept_step", state.kept().sweptStep());
        }
        ToldJobs.add(state, told);
        return GoldenVector.normal(told);
    }

    private static JsonNode producer(ProducerState producer) {
        ObjectNode told =
                JSON.objectNode()
                        .put("epoch", producer.epoch())
                        .put("opening_id", producer.openingId())
                        .put("next_sequence", producer.nextSequence())
                        .put("finished", producer.finished())
                        .put("progress", producer.progress().toHex())
                        .put("last_step", producer.lastStep());
        for (FormerEpoch former : producer.former()) {
            told.withArray("former")
                    .addArray()
                    .add(former.epoch())
                    .add(former.endSequence())
                    .add(former.lastStep());
        }
        return told;
    }

    /** The steps, without what only reading their payload tells. */
    static JsonNode steps(List<StepRecord> steps, Layout layout) {
        ArrayNode told = JSON.arrayNode();
        steps.forEach(step -> told.add(step(step, layout)));
        return GoldenVector.normal(told);
    }

    private static JsonNode step(StepRecord step, Layout layout) {
        ObjectNode told = JSON.objectNode();
        told.put("step", step.step());
        told.put("version", step.version());
        told.put("time", step.at().toEpochMilli());
        told.put("receipt", step.receipt().toHex());
        Claim claim = step.claim();
        told.putObject("claim")
                .put("producer", claim.producer())
                .put("epoch", claim.epoch())
                .put("sequence", claim.sequence());
        ObjectNode counts = told.putObject("counts");
        step.batch().counts().forEach(count -> counts.put(count.name(), count.value()));
        ArrayNode parts = told.putArray("parts");
        for (int i = 0; i < step.batch().parts().size(); i++) {
            String key = layout.part(claim, i).substring(layout.root().length() + 1);
            parts.add(part(key, step.batch().parts().get(i)));
        }
        return told;
    }

    static JsonNode provenance(Provenance provenance) {
        ObjectNode told = JSON.objectNode();
        ArrayNode sources = told.putArray("sources");
        for (Source source : provenance.sources()) {
            sources.addObject()
                    .put("input", source.input())
                    .put("length", source.length())
                    .put("digest", source.digest().toHex())
                    .put("epoch", source.epoch());
        }
        ArrayNode rows = told.putArray("rows");
        for (SourceRows each : provenance.rows()) {
            rows.addObject()
                    .put("slice", each.slice())
                    .put("source", each.source())
                    .put("first", each.first())
                    .put("rows", each.rows())
                    .put("amount", each.amount());
        }
        return GoldenVector.normal(told);
    }

    private static JsonNode part(String key, Part part) {
        ObjectNode told = JSON.objectNode();
        told.put("key", key);
        told.put("length", part.length());
        told.put("digest", part.digest().toHex());
        ArrayNode slices = told.putArray("slices");
        for (Slice slice : part.slices()) {
            slices.addObject()
                    .put("offset", slice.offset())
                    .put("length", slice.length())
                    .put("rows", slice.rows())
                    .put("crc32c", String.format("%08x", slice.crc32c()));
        }
        return told;
    }

    /** What was expected of steps, without what only reading their payload tells. */
    static JsonNode withoutPayload(JsonNode steps) {
        JsonNode copy = steps.deepCopy();
        for (JsonNode step : copy) {
            for (JsonNode part : step.get("parts")) {
                ((ObjectNode) part).remove("refused");
                ((ObjectNode) part).remove("swept");
                for (JsonNode slice : part.get("slices")) {
                    ((ObjectNode) slice).remove("refused");
                    ((ObjectNode) slice).remove("logical_digest");
                    ((ObjectNode) slice).remove("canonical");
                    ((ObjectNode) slice).remove("about");
                }
            }
        }
        return copy;
    }
}
