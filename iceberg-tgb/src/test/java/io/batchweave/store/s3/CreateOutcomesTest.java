package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.s3.FakeS3.Mishap;
import io.batchweave.world.HandClock;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a create makes of everything that a server, or a network, can answer. */
class CreateOutcomesTest {
    private static final String KEY = "log/00/07";
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    private final HandClock clock = new HandClock(START);
    private final FakeS3 server = FakeS3.start();
    private final ObjectStore store = server.open(clock.world(1));

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private Creation createAfter(Mishap mishap) {
        server.plan(FakeRequest.puts(), 1, mishap);
        return store.create(KEY, bytes("mine"));
    }

    @Test
    @Tag("STORE-5")
    void theTimeIsTheServersAndNotOurs() {
        Creation creation = store.create(KEY, bytes("mine"));

        assertThat(((Creation.Done) creation).at())
                .isNotEqualTo(START)
                .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
    }

    /** Some servers answer a condition that does not hold as if it were one of a read. */
    @ParameterizedTest
    @MethodSource("refusals")
    @Tag("STORE-1")
    void aKeyThatExistsIsRefused(FakeReply reply) {
        assertThat(createAfter(Mishaps.answer(reply))).isInstanceOf(Creation.Refused.class);
        assertThat(server.requests()).hasSize(1);
    }

    static Stream<FakeReply> refusals() {
        return Stream.of(FakeReply.error(412, "PreconditionFailed"), FakeReply.empty(304));
    }

    @ParameterizedTest
    @MethodSource("doubts")
    @Tag("STORE-1")
    void whatMayHaveHappenedIsUnknownAndIsNotAskedForAgain(String what, Mishap mishap) {
        Creation creation = createAfter(mishap);

        assertThat(creation).as(what).isInstanceOf(Creation.Unknown.class);
        assertThat(((Creation.Unknown) creation).cause())
                .hasMessageStartingWith("Cannot create log/00/07 in s3://training/: ")
                .hasMessageNotContainingAny("\n", "hush");
        assertThat(server.requests()).as("retries are not the SDK's").hasSize(1);
        assertThat(clock.pauses()).isEmpty();
    }

    static Stream<Arguments> doubts() {
        return Stream.of(
                Arguments.of("conflict", Mishaps.error(409, "ConditionalRequestConflict")),
                Arguments.of("conflict of no name", Mishaps.answer(FakeReply.empty(409))),
                Arguments.of("fault", Mishaps.error(500, "InternalError")),
                Arguments.of("throttled", Mishaps.error(503, "SlowDown")),
                Arguments.of("throttled as 429", Mishaps.answer(FakeReply.empty(429))),
                Arguments.of("throttled as 403", Mishaps.error(403, "RequestLimitExceeded")),
                Arguments.of("too slow for it", Mishaps.error(400, "RequestTimeout")),
                Arguments.of("expired", Mishaps.error(400, "ExpiredToken")),
                Arguments.of("skewed", Mishaps.error(403, "RequestTimeTooSkewed")),
                Arguments.of("page", Mishaps.answer(FakeReply.page(200))),
                Arguments.of("page 403", Mishaps.answer(FakeReply.page(403))),
                Arguments.of("page 502", Mishaps.answer(FakeReply.page(502))),
                Arguments.of("error with 200", Mishaps.error(200, "InternalError")),
                Arguments.of("request lost", Mishaps.requestLost()),
                Arguments.of("answer lost", Mishaps.answerLost()),
                Arguments.of("done, 503", Mishaps.doneBut(FakeReply.error(503, "SlowDown"))));
    }

    /**
     * The race that the SDK's own retry would lose:
     *
     * <ol>
     *   <li>The PUT arrives and creates the object; its answer is lost.
     *   <li>A second PUT would be refused, and a success be told as a refusal.
     * </ol>
     */
    @Test
    @Tag("STORE-1")
    @Tag("STORE-2")
    void aSuccessWhoseAnswerIsLostIsUnknownAndIsThere() {
        assertThat(createAfter(Mishaps.answerLost())).isInstanceOf(Creation.Unknown.class);

        assertThat(text(store.read(KEY, 10))).isEqualTo("mine");
        assertThat(store.create(KEY, bytes("mine"))).isInstanceOf(Creation.Refused.class);
    }

    @ParameterizedTest
    @MethodSource("certainFailures")
    @Tag("STORE-1")
    void whatTheServerRefusedCertainlyDidNotHappen(int status, String code) {
        assertThatThrownBy(() -> createAfter(Mishaps.error(status, code)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("Cannot create log/00/07 in s3://training/: ")
                .hasMessageNotContainingAny("\n", "hush");
        assertThat(store.read(KEY, 10)).isInstanceOf(Fetched.Absent.class);
    }

    static Stream<Arguments> certainFailures() {
        return Stream.of(
                Arguments.of(403, "AccessDenied"),
                Arguments.of(404, "NoSuchBucket"),
                Arguments.of(403, "InvalidAccessKeyId"),
                Arguments.of(403, "SignatureDoesNotMatch"),
                Arguments.of(400, "AuthorizationHeaderMalformed"),
                Arguments.of(400, "KeyTooLongError"),
                Arguments.of(403, "QuotaExceeded"));
    }

    @Test
    void aServerThatIsGoneLeavesItUnknown() {
        server.close();

        assertThat(store.create(KEY, bytes("mine"))).isInstanceOf(Creation.Unknown.class);
    }

    @Test
    void theNextOneGoesByTheServersClock() {
        server.plan(FakeRequest.puts(), 9, Skewed.refused());

        try (Skewed wrong = Skewed.by(Duration.ofHours(2));
                ObjectStore late = server.open(clock.world(1))) {
            assertThat(late.create(KEY, bytes("mine"))).isInstanceOf(Creation.Unknown.class);
            assertThat(late.create(KEY, bytes("mine"))).isInstanceOf(Creation.Done.class);
        }
    }
}
