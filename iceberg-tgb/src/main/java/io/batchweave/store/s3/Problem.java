package io.batchweave.store.s3;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;

/**
 * What it means that a request was not answered well.
 *
 * @param why in words of ours that can end a message: what a server or a proxy sends is not
 *     repeated, but for its code
 */
record Problem(Kind kind, String why) {
    /** What can be made of it. */
    enum Kind {
        /** A condition did not hold: the key exists. */
        EXISTS,
        /** The server refused to do it, and would again. */
        REFUSED,
        /** No server was reached. */
        UNREACHABLE,
        /** It may have been done or not, and may go better next time. */
        PASSING,
        /** It may have been done or not, and will not go better next time. */
        LASTING
    }

    /** Refused only for now, whatever the status they come with. */
    private static final Set<String> PASSING_CODES =
            Set.of(
                    "ConditionalRequestConflict",
                    "ExpiredToken",
                    "OperationAborted",
                    "RequestTimeout",
                    "TokenRefreshRequired");

    private static final int NOT_MODIFIED = 304;
    private static final int PRECONDITION_FAILED = 412;
    private static final Set<Integer> PASSING_STATUSES = Set.of(408, 409, 425, 429);
    private static final int NOT_IMPLEMENTED = 501;

    /** What was thrown by the SDK, or by us over an answer or while its body was read. */
    static Problem of(Exception failure) {
        if (failure instanceof AwsServiceException answer) {
            return of(answer);
        }
        if (failure instanceof ProtocolException strange) {
            return new Problem(Kind.LASTING, notS3(strange.getMessage()));
        }
        if (cause(failure, ConnectException.class).isPresent()) {
            return new Problem(
                    Kind.UNREACHABLE,
                    "no server could be reached; check that it runs, and AWS_ENDPOINT_URL_S3");
        }
        Optional<UnknownHostException> host = cause(failure, UnknownHostException.class);
        if (host.isPresent()) {
            return new Problem(
                    Kind.UNREACHABLE,
                    "its server's name is unknown; check AWS_ENDPOINT_URL_S3 and AWS_REGION");
        }
        if (isUnreadable(failure)) {
            return new Problem(Kind.LASTING, notS3("its answer is not the XML of one"));
        }
        if (failure instanceof SdkException && cause(failure, IOException.class).isEmpty()) {
            return new Problem(Kind.PASSING, "the request came to nothing (" + name(failure) + ")");
        }
        return new Problem(Kind.PASSING, "the connection was lost (" + name(failure) + ")");
    }

    /** Whether an answer came whole and makes no sense. */
    private static boolean isUnreadable(Exception failure) {
        return cause(failure, XMLStreamException.class)
                .filter(unread -> !(unread.getNestedException() instanceof IOException))
                .isPresent();
    }

    private static Problem of(AwsServiceException answer) {
        String code = Answer.code(answer);
        int status = answer.statusCode();
        if (status == PRECONDITION_FAILED
                || status == NOT_MODIFIED
                || code.equals("PreconditionFailed")) {
            return new Problem(Kind.EXISTS, "the key exists");
        }
        if (RetryUtils.isClockSkewException(answer)) {
            return new Problem(Kind.PASSING, skewed(answer));
        }
        if (status == NOT_IMPLEMENTED) {
            return new Problem(
                    Kind.LASTING, "the server does not know how to do this (501); use another");
        }
        if (RetryUtils.isThrottlingException(answer)
                || PASSING_CODES.contains(code)
                || PASSING_STATUSES.contains(status)
                || status >= 500) {
            return new Problem(Kind.PASSING, Answer.words(answer));
        }
        return code.isEmpty()
                ? new Problem(Kind.LASTING, notS3("it answered with status " + status))
                : new Problem(status >= 300 ? Kind.REFUSED : Kind.PASSING, Answer.words(answer));
    }

    private static String skewed(AwsServiceException answer) {
        return "this machine's clock is wrong"
                + Answer.time(answer)
                        .map((Instant at) -> " (the server's is " + at + ")")
                        .orElse("")
                + "; set it";
    }

    private static String notS3(String how) {
        return "what answered is no S3 server (%s); check AWS_ENDPOINT_URL_S3 and any proxy"
                .formatted(how);
    }

    private static <T> Optional<T> cause(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        while (cause != null && !type.isInstance(cause)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable(cause).map(type::cast);
    }

    private static String name(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getClass().getSimpleName();
    }
}
