package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.HandClock;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/** Reads, listings and deletions go on where that makes sense, and say why where it does not. */
@Tag("STORE-4")
class ReadOutcomesTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

    private final HandClock clock = new HandClock(START);
    private final FakeS3 server = FakeS3.start();
    private final ObjectStore store = server.open(clock.world(1));

    @BeforeEach
    void create() {
        store.create("a/b", bytes("0123456789"));
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    static Stream<FakeS3.Mishap> passing() {
        return Stream.of(
                Mishaps.error(503, "SlowDown"),
                Mishaps.error(500, "InternalError"),
                Mishaps.error(403, "RequestLimitExceeded"),
                Mishaps.answer(FakeReply.empty(429)),
                Mishaps.answer(FakeReply.page(502)),
                Mishaps.cut(1),
                Mishaps.requestLost());
    }

    @ParameterizedTest
    @MethodSource("passing")
    void whatPassesIsWaitedFor(FakeS3.Mishap mishap) {
        server.plan(FakeRequest.any(), 2, mishap);
        assertThat(text(store.read("a/b", 10))).isEqualTo("0123456789");

        server.plan(FakeRequest.any(), 2, mishap);
        ByteBuffer target = ByteBuffer.allocateDirect(4);
        assertThat(text(store.readInto("a/b", 3, target))).isEqualTo("3456");
        assertThat(target.hasRemaining()).isFalse();

        server.plan(FakeRequest.any(), 2, mishap);
        assertThat(store.list("a", "").objects()).hasSize(1);

        server.plan(FakeRequest.any(), 2, mishap);
        store.delete(List.of("a/b"));
        assertThat(clock.pauses()).hasSize(8);
        assertThat(store.read("a/b", 10)).isInstanceOf(Fetched.Absent.class);
    }

    @Test
    void aBodyThatBreaksOffIsReadAgainFromItsStart() {
        store.create("large", pattern(0, 1_000_000));
        server.plan(FakeRequest.gets(), 1, Mishaps.cut(300_000));
        server.plan(FakeRequest.gets(), 1, Mishaps.cut(999_000));
        ByteBuffer target = ByteBuffer.allocateDirect(999_990);

        assertThat(body(store.readInto("large", 7, target))).isEqualTo(pattern(7, 999_990));
    }

    @Test
    void aBodyThatBreaksOffGoesOnBehindTheLastPiece() {
        store.create("large", pattern(0, 1_000_000));
        List<String> ranges = new ArrayList<>();
        for (int cut : List.of(300_000, 100_000)) {
            server.plan(
                    FakeRequest.gets(),
                    1,
                    (request, good) -> {
                        ranges.add(request.header("Range").orElseThrow());
                        return Optional.of(good.answer(request).cut(cut));
                    });
        }
        server.plan(FakeRequest.gets(), 1, Mishaps.error(503, "SlowDown"));
        ByteBuffer all = ByteBuffer.allocate(999_990);

        store.readThrough("large", 7, 999_990, all::put);

        assertThat(all.flip()).isEqualTo(pattern(7, 999_990));
        assertThat(ranges).containsExactly("bytes=7-999996", "bytes=655367-999996");
        assertThat(server.count(FakeRequest.gets())).isEqualTo(4);
    }

    @Test
    void pausesGrowAndAreRandomAndEndInTime() {
        server.plan(FakeRequest.gets(), Integer.MAX_VALUE, Mishaps.error(503, "SlowDown"));

        assertThatThrownBy(() -> store.read("a/b", 10))
                .isInstanceOf(UnavailableException.class)
                .hasMessageMatching(
                        "Cannot read a/b in s3://training/: the store asks for fewer requests"
                                + " \\(SlowDown\\); try later \\(asked \\d+ times\\)");

        assertThat(Duration.between(START, clock.instant()))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(65));
        assertThat(clock.pauses()).doesNotHaveDuplicates().hasSizeBetween(12, 60);
        assertThat(clock.pauses().get(0)).isLessThan(Duration.ofMillis(100));
        assertThat(clock.pauses()).allMatch(pause -> pause.compareTo(Duration.ofSeconds(5)) <= 0);
    }

    static Stream<Predicate<FakeRequest>> kinds() {
        return Stream.of(FakeRequest.gets(), FakeRequest.lists(), FakeRequest.deletions());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aPageOfAProxyIsNeitherAnObjectNorAnEmptyFolderNorADeletion(Predicate<FakeRequest> kind) {
        server.plan(kind, 1, Mishaps.answer(FakeReply.page(200)));
        assertNoS3();
        server.plan(kind, 1, Mishaps.answer(FakeReply.page(404)));
        assertNoS3();
        server.plan(kind, 1, Mishaps.answer(FakeReply.xml(200, "<html/>")));
        assertNoS3();
    }

    private void assertNoS3() {
        assertThatThrownBy(
                        () -> {
                            store.read("a/b", 10);
                            store.list("a", "");
                            store.delete(List.of("a/c"));
                        })
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("what answered is no S3 server")
                .hasMessageContaining(
                        "check AWS_ENDPOINT_URL_S3 (host, port, http or https) and any proxy")
                .hasMessageNotContainingAny("\n", "log in");
        assertThat(clock.pauses()).isEmpty();
    }

    @Test
    void aServerThatIgnoresRangesIsNotBelieved() {
        server.plan(
                FakeRequest.gets(),
                1,
                Mishaps.answer(
                        new FakeReply(200, java.util.Map.of("ETag", "\"1\""), new byte[10], 0)));

        assertThatThrownBy(() -> store.readInto("a/b", 3, ByteBuffer.allocate(4)))
                .hasMessageContaining("it was asked for a range and gave another");
    }

    @Test
    void anExpiredTokenIsRenewed() {
        AtomicInteger resolved = new AtomicInteger();
        AwsCredentialsProvider renewing =
                () -> {
                    int times = resolved.incrementAndGet();
                    return AwsSessionCredentials.create("key" + times, "hush-hush", "token");
                };
        server.plan(
                FakeRequest.gets(),
                Integer.MAX_VALUE,
                (request, good) ->
                        Optional.of(
                                request.header("Authorization").orElseThrow().contains("key4")
                                        ? good.answer(request)
                                        : FakeReply.error(400, "ExpiredToken")));

        try (ObjectStore renewed =
                server.open(
                        "s3://training",
                        clock.world(1),
                        client -> client.credentialsProvider(renewing))) {
            assertThat(text(renewed.read("a/b", 10))).isEqualTo("0123456789");
        }
    }

    @Test
    void aTokenThatStaysExpiredIsSaid() {
        server.plan(FakeRequest.gets(), Integer.MAX_VALUE, Mishaps.error(400, "ExpiredToken"));

        assertThatThrownBy(() -> store.read("a/b", 10))
                .hasMessageContaining("the session token has expired; renew the credentials");
    }

    @Test
    void aWrongClockOfOursIsPutRight() {
        server.plan(FakeRequest.gets(), Integer.MAX_VALUE, Skewed.refused());

        try (Skewed wrong = Skewed.by(Duration.ofHours(-5));
                ObjectStore early = server.open(clock.world(1))) {
            assertThat(text(early.read("a/b", 10))).isEqualTo("0123456789");
            assertThat(text(early.read("a/b", 10))).isEqualTo("0123456789");
        }
        assertThat(server.count(FakeRequest.gets())).isEqualTo(3);
    }

    @Test
    void whatCouldNotBeDeletedIsSaid() {
        String some =
                "<DeleteResult><Deleted><Key>a/b</Key></Deleted><Error><Key>a/c</Key>"
                        + "<Code>%s</Code></Error></DeleteResult>";
        server.plan(
                FakeRequest.deletions(),
                1,
                Mishaps.answer(FakeReply.xml(200, some.formatted("InternalError"))));
        store.delete(List.of("a/b", "a/c"));
        assertThat(clock.pauses()).hasSize(1);

        server.plan(
                FakeRequest.deletions(),
                1,
                Mishaps.answer(FakeReply.xml(200, some.formatted("AccessDenied"))));
        assertThatThrownBy(() -> store.delete(List.of("a/b", "a/c")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("access is denied");
    }

    @Test
    void anInterruptedThreadDoesNotWait() {
        server.plan(FakeRequest.gets(), Integer.MAX_VALUE, Mishaps.error(503, "SlowDown"));
        clock.whilePausing(pause -> Thread.currentThread().interrupt());

        assertThatThrownBy(() -> store.read("a/b", 10))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the thread was interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clock.pauses()).hasSize(1);
    }

    @Test
    void aStoreThatWasClosedSaysSo() {
        store.close();

        assertThatThrownBy(() -> store.read("a/b", 10))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("the store was closed; open it again");
        assertThatThrownBy(() -> store.create("a/c", bytes("x")))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void aServerThatNeverAnsweredIsGivenUpSoon() {
        server.close();
        try (ObjectStore stranger = server.open(clock.world(2))) {
            assertThatThrownBy(() -> stranger.read("a/b", 10))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining(
                            "no server could be reached; check that it runs, and"
                                    + " AWS_ENDPOINT_URL_S3");
        }
        Duration waited = Duration.between(START, clock.instant());
        assertThat(waited).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void aServerThatAnsweredOnceIsWaitedFor() {
        assertThat(text(store.read("a/b", 10))).isEqualTo("0123456789");
        server.close();

        assertThatThrownBy(() -> store.read("a/b", 10)).isInstanceOf(UnavailableException.class);
        assertThat(Duration.between(START, clock.instant())).isGreaterThan(Duration.ofSeconds(59));
    }
}
