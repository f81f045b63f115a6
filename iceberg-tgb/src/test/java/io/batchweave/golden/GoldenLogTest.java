package io.batchweave.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.codec.CommitCodec;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.Commit;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Layout;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.state.Verdict;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Reason;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logs that another implementation wrote mean here what they mean there. */
@Tag("CODEC-1")
@Tag("CODEC-2")
@Tag("CODEC-3")
@Tag("CODEC-4")
@Tag("CODEC-5")
@Tag("LAYOUT-1")
@Tag("LAYOUT-2")
class GoldenLogTest {
    private static final World WORLD =
            new World(() -> Instant.EPOCH, duration -> {}, new SplittableRandom(0));

    static List<GoldenVector> valid() {
        return GoldenVector.all("valid");
    }

    static List<GoldenVector> invalid() {
        return GoldenVector.all("invalid");
    }

    static Stream<GoldenVector> all() {
        return Stream.concat(valid().stream(), invalid().stream());
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("APPLY-1")
    @Tag("APPLY-2")
    @Tag("APPLY-3")
    @Tag("APPLY-4")
    @Tag("APPLY-5")
    @Tag("APPLY-6")
    @Tag("APPLY-7")
    @Tag("APPLY-8")
    @Tag("APPLY-9")
    @Tag("APPLY-10")
    @Tag("APPLY-11")
    @Tag("APPLY-12")
    @Tag("APPLY-13")
    @Tag("APPLY-14")
    @Tag("APPLY-15")
    @Tag("APPLY-16")
    @Tag("APPLY-18")
    @Tag("JOB-1")
    @Tag("JOB-4")
    @Tag("LOG-4")
    @Tag("LOG-10")
    void everyCommitMeansWhatTheOtherFound(GoldenVector vector) {
        ObjectStore store = vector.store(WORLD);
        Optional<State> state = Optional.empty();
        List<StepRecord> found = new ArrayList<>();
        for (JsonNode expected : vector.expected("commits")) {
            String key = expected.get("key").asText();
            Commit commit = vector.commit(store, expected);
            Applied applied = applied(state, commit);

            assertThat(commit.id()).isEqualTo(expected.get("id").asText());
            assertVerdicts(commit, applied.verdicts(), expected.get("entries"));
            assertThat(Told.state(applied.state())).as(key).isEqualTo(expected.get("state"));
            state = Optional.of(applied.state());
            applied.cut().forEach(segment -> found.addAll(segment.steps()));
        }
        JsonNode steps = vector.expected("steps");
        Layout layout = new Layout(vector.dataset());
        state.ifPresent(last -> found.addAll(last.steps().recent()));
        if (!vector.expected("schema_refused").isTextual()
                && !vector.expected("opened").isObject()) {
            assertThat(Told.steps(found, layout)).isEqualTo(Told.withoutPayload(steps));
        }
    }

    private static Applied applied(Optional<State> before, Commit commit) {
        return before.map(state -> state.apply(commit)).orElseGet(() -> State.first(commit));
    }

    private static void assertVerdicts(Commit commit, List<Verdict> verdicts, JsonNode expected) {
        assertThat(verdicts).hasSize(expected.size());
        for (int i = 0; i < verdicts.size(); i++) {
            Entry entry = commit.entries().get(i);
            String kind = expected.get(i).get("kind").asText();
            String verdict = expected.get(i).get("verdict").asText();

            assertThat(entry.getClass().getSimpleName()).isEqualTo(kind);
            if (expected.get(i).has("provenance")) {
                assertThat(Told.provenance(((Publish) entry).batch().provenance()))
                        .isEqualTo(expected.get(i).get("provenance"));
            }
            if (verdict.equals("effect")) {
                assertThat(verdicts.get(i)).as(entry.toString()).isNotInstanceOf(Ignored.class);
            } else {
                assertThat(verdicts.get(i))
                        .as(entry.toString())
                        .isInstanceOfSatisfying(
                                Ignored.class,
                                ignored ->
                                        assertThat(reasons(kind, verdict))
                                                .contains(ignored.reason()));
            }
        }
    }

    /** What this implementation may call a reason of the format. */
    private static Set<Reason> reasons(String kind, String verdict) {
        return switch (verdict) {
            case "already in" -> EnumSet.of(Reason.ALREADY_IN);
            case "not first" -> EnumSet.of(Reason.ALREADY_IN, Reason.UNFIT);
            case "fenced", "second opening", "second session", "superseded" ->
                    EnumSet.of(Reason.FENCED);
            case "not open", "undeclared" -> EnumSet.of(Reason.NOT_OPEN);
            case "gap" -> EnumSet.of(Reason.GAP);
            case "unfit",
                    "unfinished",
                    "attached",
                    "not attached",
                    "beyond",
                    "behind",
                    "another start",
                    "another checkpoint",
                    "not kept",
                    "not pinned",
                    "needed",
                    "not given up",
                    "swept",
                    "seen" ->
                    EnumSet.of(Reason.UNFIT);
            case "detached" -> EnumSet.of(Reason.ENDED);
            case "sealed", "finished" ->
                    EnumSet.of(kind.equals("Seal") ? Reason.ALREADY_IN : Reason.ENDED);
            default -> throw new IllegalArgumentException("The reason '" + verdict + "' is new");
        };
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("LOG-1")
    void equalContentGivesEqualBytes(GoldenVector vector) {
        ObjectStore store = vector.store(WORLD);
        for (JsonNode expected : vector.expected("commits")) {
            String key = expected.get("key").asText();
            if (key.startsWith("log/")) {
                ByteBuffer written = vector.object(store, key);
                ByteBuffer again = CommitCodec.encode(CommitCodec.decode(written, key));

                boolean isCanonical = expected.path("canonical").asBoolean(true);
                assertThat(again.equals(written)).as(key).isEqualTo(isCanonical);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("LOG-2")
    @Tag("LOG-9")
    void logIsReadUnlessSomethingInItIsRefused(GoldenVector vector) {
        JsonNode commits = vector.expected("commits");
        JsonNode opened = vector.expected("opened");
        String why = vector.expected("refused").path("why").asText();
        if (opened.isObject()) {
            assertThat(Told.state(open(vector).state())).isEqualTo(opened);
        } else if (why.isEmpty()) {
            assertThat(Told.state(open(vector).state()))
                    .isEqualTo(commits.get(commits.size() - 1).get("state"));
        } else {
            assertThatExceptionOfType(refusal(why))
                    .isThrownBy(() -> open(vector))
                    .satisfies(
                            refused ->
                                    assertThat(refused.getMessage())
                                            .startsWith("Cannot ")
                                            .doesNotContain("\n"));
        }
    }

    private static Class<? extends RuntimeException> refusal(String why) {
        return switch (why) {
            case "corrupt", "missing" -> CorruptException.class;
            case "unsupported" -> UnsupportedFeatureException.class;
            case "dropped" -> FencedException.class;
            default -> throw new IllegalArgumentException("The class '" + why + "' is new");
        };
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void refusedObjectIsTheOneThatWasFound(GoldenVector vector) {
        JsonNode refused = vector.expected("refused");
        String why = refused.path("why").asText();
        if (why.equals("corrupt")) {
            String key = refused.get("key").asText();
            ByteBuffer bytes = vector.object(vector.store(WORLD), key);
            assertThatThrownBy(() -> State.first(CommitCodec.decode(bytes, key)))
                    .isInstanceOf(CorruptException.class);
        }
        if (why.equals("missing")) {
            String key = new Layout(vector.dataset()).root() + "/" + refused.get("key").asText();
            assertThat(vector.store(WORLD).read(key, CommitCodec.BYTES_MAX))
                    .isInstanceOf(Fetched.Absent.class);
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("LOG-9")
    void unknownFeatureOfWritersForbidsToWrite(GoldenVector vector) {
        if (vector.expected("writable").isBoolean()) {
            Log log = open(vector);
            assertThatExceptionOfType(UnsupportedFeatureException.class)
                    .isThrownBy(() -> log.append(List.of(new Entry.Seal(Entry.SealCondition.NONE))))
                    .withMessageContaining("'later'");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("PAYLOAD-3")
    void payloadSchemaIsReadOrRefused(GoldenVector vector) {
        if (vector.expected("refused").isObject()) {
            return;
        }
        String schema = open(vector).state().dataset().schema();
        if (vector.expected("schema_refused").isTextual()) {
            assertThatThrownBy(() -> PayloadSchema.parse(schema))
                    .isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(PayloadSchema.parse(schema).iceberg().columns()).isNotEmpty();
        }
    }

    private static Log open(GoldenVector vector) {
        return Log.open(vector.store(WORLD), vector.dataset(), WORLD, LogLimits.DEFAULT);
    }
}
