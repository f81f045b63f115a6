package io.batchweave.store.s3;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
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
        /** The server refused to do it, and would until somebody mends what is asked or how. */
        NO_ACCESS,
        /** The server refused to do it, and would again. */
        REFUSED,
        /** The server did not do it, or may have; it may go better next time. */
        PASSING,
        /** It may have been done or not, and no server was heard; it may go better next time. */
        LOST,
        /** No server was reached. */
        UNREACHABLE,
        /** What answered is no server of this kind, and will not be next time. */
        STRANGE
    }

    /** Refused only for now, whatever the status they come with. */
    private static final Set<String> PASSING_CODES =
            Set.of(
                    "ConditionalRequestConflict",
                    "ExpiredToken",
                    "OperationAborted",
                    "RequestTimeout",
                    "TokenRefreshRequired");

    /** Not before somebody mends something. */
    private static final Set<String> NO_ACCESS_CODES =
            Set.of(
                    "AccessDenied",
                    "AccountProblem",
                    "AllAccessDisabled",
                    "AuthorizationHeaderMalformed",
                    "IllegalLocationConstraintException",
                    "InvalidAccessKeyId",
                    "InvalidBucketName",
                    "InvalidToken",
                    "NoSuchBucket",
                    "NotImplemented",
                    "PermanentRedirect",
                    "SignatureDoesNotMatch",
                    "TemporaryRedirect");

    private static final int NOT_MODIFIED = 304;
    private static final int PRECONDITION_FAILED = 412;
    private static final Set<Integer> PASSING_STATUSES = Set.of(408, 409, 425, 429);

    /** What was thrown by the SDK, or by us over an answer or while its body was read. */
    static Problem of(Exception failure) {
        if (failure instanceof AwsServiceException answer) {
            return of(answer);
        }
        if (failure instanceof ProtocolException strange) {
            return new Problem(Kind.STRANGE, notS3(strange.getMessage()));
        }
        if (isUnreadable(failure)) {
            return new Problem(Kind.STRANGE, notS3("its answer is not the XML of one"));
        }
        return unanswered(failure);
    }

    /** Whether a server was heard that is of the kind we ask. */
    boolean isHeard() {
        return switch (kind) {
            case EXISTS, NO_ACCESS, REFUSED, PASSING -> true;
            case LOST, UNREACHABLE, STRANGE -> false;
        };
    }

    /** Whether the same request may go better next time. */
    boolean isPassing() {
        return kind == Kind.PASSING || kind == Kind.LOST || kind == Kind.UNREACHABLE;
    }

    private static Problem unanswered(Exception failure) {
        if (has(failure, UnknownHostException.class)) {
            return new Problem(
                    Kind.UNREACHABLE,
                    "its server's name is unknown; check AWS_ENDPOINT_URL_S3 and AWS_REGION");
        }
        if (has(failure, ConnectException.class) || has(failure, NoRouteToHostException.class)) {
            return new Problem(
                    Kind.UNREACHABLE,
                    "no server could be reached; check that it runs, and AWS_ENDPOINT_URL_S3");
        }
        if (has(failure, CertificateException.class)
                || has(failure, SSLPeerUnverifiedException.class)) {
            return new Problem(
                    Kind.STRANGE,
                    "the server's certificate is not one to trust for its name; check"
                            + " AWS_ENDPOINT_URL_S3, and Java's trust store");
        }
        if (cause(failure, SSLException.class).filter(Problem::isPlainText).isPresent()) {
            return new Problem(
                    Kind.STRANGE,
                    "the server does not speak TLS; write AWS_ENDPOINT_URL_S3 with http:// in place"
                            + " of https://");
        }
        if (failure instanceof SdkException && !has(failure, IOException.class)) {
            return new Problem(Kind.LOST, "the request came to nothing (" + name(failure) + ")");
        }
        return new Problem(
                Kind.LOST,
                "the connection was lost (%s); check the network, and AWS_ENDPOINT_URL_S3 (http or"
                                .formatted(name(failure))
                        + " https)");
    }

    /** Java has no class of its own for an answer that is not encrypted. */
    private static boolean isPlainText(SSLException failure) {
        return String.valueOf(failure.getMessage()).contains("unrecognized SSL message");
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
        if (NO_ACCESS_CODES.contains(code)) {
            return new Problem(Kind.NO_ACCESS, Answer.words(answer));
        }
        boolean isPassing =
                RetryUtils.isThrottlingException(answer)
                        || PASSING_CODES.contains(code)
                        || PASSING_STATUSES.contains(status)
                        || status >= 500;
        if (!Answer.isOfS3(answer)) {
            // A gateway may answer while its server restarts.
            return new Problem(
                    isPassing ? Kind.LOST : Kind.STRANGE,
                    notS3("it answered with status " + status));
        }
        return new Problem(
                isPassing || status < 300 ? Kind.PASSING : Kind.REFUSED, Answer.words(answer));
    }

    private static String skewed(AwsServiceException answer) {
        return "this machine's clock is wrong"
                + Answer.time(answer)
                        .map((Instant at) -> " (the server's is " + at + ")")
                        .orElse("")
                + "; set it";
    }

    private static String notS3(String how) {
        return "what answered is no S3 server (%s); check AWS_ENDPOINT_URL_S3 (host, port, http or"
                        .formatted(how)
                + " https) and any proxy";
    }

    private static boolean has(Throwable failure, Class<? extends Exception> type) {
        return cause(failure, type).isPresent();
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
