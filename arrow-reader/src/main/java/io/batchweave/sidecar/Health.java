package io.batchweave.sidecar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the readers of this node fare.
 *
 * @param arenaBytes of the files in shared memory
 */
record Health(List<Reader> readers, long arenaBytes, long places) {
    private static final Logger LOG = LoggerFactory.getLogger(Health.class);

    static Health of(Node node) {
        return new Health(
                node.readers().all(), node.slices().arena().bytes(), node.readers().places());
    }

    /** Our own faults go to the log, with all that is known; the others are told to who asked. */
    static void tell(Throwable thrown) {
        if (Kind.of(thrown) == Kind.INTERNAL) {
            LOG.error("A request failed", thrown);
        } else {
            LOG.debug("A request was refused", thrown);
        }
    }

    /** One line for people. */
    String summary() {
        String each =
                readers.stream()
                        .map(reader -> reader + " at step " + reader.nextStep())
                        .collect(Collectors.joining(", "));
        return "%d readers at %d places, %d bytes in shared memory%s"
                .formatted(readers.size(), places, arenaBytes, each.isEmpty() ? "" : ": " + each);
    }

    ObjectNode json() {
        ObjectNode health = Reply.object().put("summary", summary());
        health.put("arena_bytes", arenaBytes);
        ArrayNode all = health.putArray("readers");
        for (Reader reader : readers) {
            all.addObject()
                    .put("dataset", reader.ask().dataset())
                    .put("mesh", reader.place().text())
                    .put("job", reader.job())
                    .put("session", reader.session())
                    .put("next_step", reader.nextStep())
                    .put("steps", reader.waits().steps())
                    .put("bytes", reader.waits().bytes())
                    .put("waited_ms", reader.waits().waited().toMillis())
                    .put("steps_ahead", reader.pace().steps());
        }
        return health;
    }
}
