package io.batchweave.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/**
 * What a {@link FakeS3} answers.
 *
 * @param cutBytes so many bytes at the body's end never arrive
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record FakeReply(int status, Map<String, String> headers, byte[] body, int cutBytes) {
    private static final String REQUEST_ID = "4442587FB7D0A2F9";

    static FakeReply xml(int status, String body) {
        return new FakeReply(
                status,
                Map.of("Content-Type", "application/xml", "x-amz-request-id", REQUEST_ID),
                body.getBytes(UTF_8),
                0);
    }

    static FakeReply empty(int status) {
        return new FakeReply(status, Map.of("x-amz-request-id", REQUEST_ID), new byte[0], 0);
    }

    /** An error as S3 writes it. */
    static FakeReply error(int status, String code) {
        return xml(
                status,
                "<Error><Code>%s</Code><Message>hush-hush is what\nI heard</Message></Error>"
                        .formatted(code));
    }

    /** A page that a proxy gives in place of an answer. */
    static FakeReply page(int status) {
        return new FakeReply(
                status,
                Map.of("Content-Type", "text/html"),
                "<html><body>Please log in</body></html>".getBytes(UTF_8),
                0);
    }

    FakeReply with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new FakeReply(status, more, body, cutBytes);
    }

    FakeReply cut(int bytes) {
        return new FakeReply(status, headers, body, bytes);
    }
}
