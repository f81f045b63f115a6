package io.batchweave.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What is told of a store that is not as it should be: one line, what to do, no secret. */
class ErrorTextsTest {
    private final FakeS3 server = FakeS3.start();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404|NoSuchBucket|there is no such bucket; create it",
                "403|AccessDenied|the bucket is somebody else's, or the credentials do not allow",
                "403|InvalidAccessKeyId|does not know the access key; check AWS_ACCESS_KEY_ID",
                "403|SignatureDoesNotMatch|the secret key does not fit the access key",
                "400|InvalidToken|the session token is not valid; check AWS_SESSION_TOKEN",
                "301|PermanentRedirect|in another region; set AWS_REGION to eu-west-1",
                "400|AuthorizationHeaderMalformed|in another region; set AWS_REGION to eu-west-1",
                "400|Strange|the store answered 400 Strange (request 4442587FB7D0A2F9)",
                "403|hush hush|what answered is no S3 server (it answered with status 403)",
                "501|NotImplemented|the server does not know how to do this (501)"
            })
    void eachKindOfRefusalSaysWhatToDo(int status, String code, String words) {
        server.plan(
                FakeRequest.any(),
                1,
                Mishaps.answer(
                        FakeReply.error(status, code).with("x-amz-bucket-region", "eu-west-1")));

        try (ObjectStore store = server.open(World.real())) {
            assertThatThrownBy(() -> store.list("", ""))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageStartingWith("Cannot list")
                    .hasMessageContaining(words)
                    .hasMessageNotContainingAny("\n", "hush", "Exception");
        }
        assertThat(server.requests()).hasSize(1);
    }

    /** What a person must mend is no outage. */
    @ParameterizedTest
    @CsvSource({
        "404, NoSuchBucket, true",
        "403, AccessDenied, true",
        "403, InvalidAccessKeyId, true",
        "403, SignatureDoesNotMatch, true",
        "301, PermanentRedirect, true",
        "501, NotImplemented, true",
        "403, QuotaExceeded, false",
        "400, Strange, false"
    })
    void whatAPersonMustMendIsNoOutage(int status, String code, boolean mustBeMended) {
        server.plan(FakeRequest.any(), 3, Mishaps.error(status, code));

        try (ObjectStore store = server.open(World.real())) {
            for (ThrowingCallable request :
                    List.<ThrowingCallable>of(
                            () -> store.list("", ""),
                            () -> store.create("a", ByteBuffer.allocate(1)),
                            () -> store.read("a", 1))) {
                assertThat(catchThrowable(request) instanceof NoAccessException)
                        .isEqualTo(mustBeMended);
            }
        }
        assertThat(server.requests()).hasSize(3);
    }

    @Test
    void aBucketThatIsMissingIsSaid() {
        try (ObjectStore store = server.open("s3://missing/a", World.real(), client -> {})) {
            assertThatThrownBy(() -> store.read("b", 1))
                    .hasMessage(
                            "Cannot read b in s3://missing/a/: there is no such bucket; create it,"
                                    + " or check its name and AWS_ENDPOINT_URL_S3");
        }
    }

    @Test
    void withoutCredentialsItIsSaidWhichToSet() {
        assertThatThrownBy(
                        () ->
                                server.open(
                                        "s3://training",
                                        World.real(),
                                        client ->
                                                client.credentialsProvider(
                                                        () -> {
                                                            throw SdkClientException.create("no");
                                                        })))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("no credentials are configured; set AWS_ACCESS_KEY_ID");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3:bucket",
                "s3:///warehouse",
                "s3://b",
                "s3://user@bucket/a",
                "s3://bucket:9000/a",
                "s3://bucket/a?region=eu-west-1",
                "s3://bucket/a#b",
                "s3://bucket/a//b",
                "s3://bucket/../b",
                "s3://bucket/.a",
                "s3://bucket/a%0Ab"
            })
    void whatNamesNoPartOfABucketIsRefused(String uri) {
        assertThatThrownBy(() -> S3Location.of(URI.create(uri)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot open a store by its URI: ")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "s3://bucket, s3://bucket/",
        "s3://bucket/, s3://bucket/",
        "s3://my.bucket/a/b/, s3://my.bucket/a/b/",
        "s3://my_bucket//a, s3://my_bucket/a/"
    })
    void aPartOfABucketHasOneName(String uri, String name) {
        assertThat(S3Location.of(URI.create(uri)).uri()).isEqualTo(name);
    }

    @Test
    void addressingIsPathOrHost() {
        assertThat(S3StoreProvider.addressing(Optional.empty()))
                .isEqualTo(S3Settings.Addressing.AUTOMATIC);
        assertThat(S3StoreProvider.addressing(Optional.of("host")))
                .isEqualTo(S3Settings.Addressing.HOST);
        assertThatThrownBy(() -> S3StoreProvider.addressing(Optional.of("virtual")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("BATCHWEAVE_S3_ADDRESSING is neither 'path' nor 'host'");
    }
}
