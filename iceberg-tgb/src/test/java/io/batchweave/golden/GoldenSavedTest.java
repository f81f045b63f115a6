package io.batchweave.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.codec.SegmentCodec;
import io.batchweave.codec.StateCodec;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.state.Applied;
import io.batchweave.state.Segment;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States and segments that another implementation saved are those that this one would save. */
@Tag("APPLY-17")
@Tag("CODEC-6")
@Tag("LOG-11")
class GoldenSavedTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    static List<GoldenVector> saved() {
        return GoldenVector.all("valid").stream()
                .filter(vector -> !vector.expected("saved").isMissingNode())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("saved")
    void everyoneSavesTheSame(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        Layout layout = new Layout(vector.dataset());
        Map<String, ByteBuffer> ours = new HashMap<>();
        State state = null;
        for (JsonNode expected : vector.expected("commits")) {
            Commit commit = vector.commit(store, expected);
            Applied applied = state == null ? State.first(commit) : state.apply(commit);
            state = applied.state();
            for (Segment segment : applied.cut()) {
                SegmentRef ref = segment.ref();
                ours.put(
                        layout.segment(ref.firstStep(), ref.lastStep()),
                        SegmentCodec.encode(segment));
            }
            ours.put(layout.state(state.version()), StateCodec.encode(state).orElseThrow());
        }
        for (JsonNode key : vector.expected("saved")) {
            String whole = layout.root() + "/" + key.asText();
            assertThat(ours.get(whole)).as(whole).isEqualTo(read(store, whole));
        }
    }

    @ParameterizedTest
    @MethodSource("saved")
    void whoOpensItFindsEveryStep(GoldenVector vector) {
        MemoryStore store = vector.store(WORLD);
        Log log = Log.open(store, vector.dataset(), WORLD, LogLimits.DEFAULT);
        List<StepRecord> steps = new ArrayList<>();
        for (long step = 0; step < log.state().nextStep(); step++) {
            steps.add(log.step(step));
        }
        assertThat(Told.steps(steps, log.layout()))
                .isEqualTo(Told.withoutPayload(vector.expected("steps")));
    }

    private static ByteBuffer read(MemoryStore store, String key) {
        return ((Found) store.read(key, 1 << 24)).body();
    }
}
