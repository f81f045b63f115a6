package io.batchweave.store.s3;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.world.HandClock;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Uploads: what is sent, what is sent again, and what is left behind. */
class UploadOutcomesTest {
    private static final int PARTS_3 = 11 << 20;

    private final HandClock clock = new HandClock(Instant.parse("2026-11-29T12:00:00Z"));
    private final FakeS3 server = FakeS3.start();
    private final ObjectStore store = server.open(clock.world(1));

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    private Creation large() {
        try (Upload upload = store.upload("large")) {
            upload.write(pattern(0, PARTS_3));
            return upload.complete();
        }
    }

    private Creation small() {
        try (Upload upload = store.upload("small")) {
            upload.write(bytes("sma"));
            upload.write(bytes("ll"));
            return upload.complete();
        }
    }

    private void assertLargeIsThere() {
        assertThat(body(store.read("large", PARTS_3))).isEqualTo(pattern(0, PARTS_3));
        assertThat(server.bucket().openUploads()).isZero();
    }

    @Test
    void whatFitsAPartIsOneRequest() {
        assertThat(small()).isInstanceOf(Creation.Done.class);

        assertThat(server.requests()).hasSize(1);
        assertThat(text(store.read("small", 9))).isEqualTo("small");
    }

    @Test
    void whatIsLargerGoesInParts() {
        assertThat(large()).isInstanceOf(Creation.Done.class);

        assertThat(server.count(FakeRequest.parts())).isEqualTo(3);
        assertThat(server.requests()).hasSize(5);
        assertLargeIsThere();
    }

    @Test
    @Tag("STORE-4")
    void partsAreSentAgain() {
        server.plan(FakeRequest.parts(), 2, Mishaps.error(503, "SlowDown"));
        server.plan(FakeRequest.parts(), 2, Mishaps.answerLost());

        assertThat(large()).isInstanceOf(Creation.Done.class);
        assertLargeIsThere();
    }

    @Test
    @Tag("STORE-4")
    void aCompletionThatDidNotHappenIsAskedForAgain() {
        server.plan(FakeRequest.completions(), 1, Mishaps.error(503, "SlowDown"));
        server.plan(FakeRequest.completions(), 1, Mishaps.error(409, "ConditionalRequestConflict"));
        server.plan(FakeRequest.completions(), 1, Mishaps.requestLost());
        assertThat(large()).isInstanceOf(Creation.Done.class);
        assertLargeIsThere();

        server.plan(FakeRequest.puts(), 1, Mishaps.error(503, "SlowDown"));
        assertThat(small()).isInstanceOf(Creation.Done.class);
    }

    /** S3 begins its answer before it is done, and may fail after it has said 200. */
    @Test
    @Tag("STORE-1")
    void anErrorInTheBodyOfASuccessIsNoSuccess() {
        server.plan(FakeRequest.completions(), 1, Mishaps.error(200, "InternalError"));

        assertThat(large()).isInstanceOf(Creation.Done.class);
        assertThat(server.count(FakeRequest.completions())).isEqualTo(2);
        assertLargeIsThere();
    }

    @Test
    @Tag("STORE-1")
    void aRefusalInTheBodyOfASuccessIsARefusal() {
        server.plan(FakeRequest.completions(), 1, Mishaps.error(200, "PreconditionFailed"));

        assertThat(large()).isInstanceOf(Creation.Refused.class);
        assertThat(store.read("large", 1)).isInstanceOf(Fetched.Absent.class);
    }

    @Test
    @Tag("STORE-1")
    @Tag("STORE-2")
    void aCompletionWhoseAnswerIsLostIsNeverTakenForFailed() {
        server.plan(FakeRequest.completions(), 1, Mishaps.answerLost());
        assertThat(large()).isInstanceOf(Creation.Unknown.class);
        assertLargeIsThere();

        server.plan(FakeRequest.puts(), 1, Mishaps.answerLost());
        assertThat(small()).isInstanceOf(Creation.Refused.class);
        assertThat(text(store.read("small", 9))).isEqualTo("small");
    }

    @Test
    @Tag("STORE-4")
    void whatIsGivenUpOrRefusedLeavesNoParts() {
        try (Upload upload = store.upload("large")) {
            upload.write(pattern(0, PARTS_3));
        }
        store.create("large", bytes("first"));
        assertThat(large()).isInstanceOf(Creation.Refused.class);

        Upload forgotten = store.upload("large");
        forgotten.write(pattern(0, PARTS_3));
        store.close();
        assertThat(server.count(FakeRequest.aborts())).isEqualTo(3);
        assertThat(server.bucket().openUploads()).isZero();
    }

    @Test
    @Tag("STORE-4")
    void aPartThatCannotBeSentFailsTheUploadAndLeavesNoParts() {
        server.plan(FakeRequest.parts(), Integer.MAX_VALUE, Mishaps.error(403, "AccessDenied"));

        assertThatThrownBy(this::large)
                .isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("Cannot create large in s3://training/: access is denied");
        store.close();
        assertThat(server.bucket().openUploads()).isZero();
    }

    @Test
    void anAbortThatFailsIsNoFailure() {
        server.plan(FakeRequest.aborts(), 1, Mishaps.error(500, "InternalError"));

        try (Upload upload = store.upload("large")) {
            upload.write(pattern(0, PARTS_3));
        }
        store.close();
        assertThat(server.count(FakeRequest.aborts())).isEqualTo(1);
    }
}
