package io.batchweave.store.s3;

import java.net.ProtocolException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** What a server said when it did not do what it was asked for. */
final class Answer {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.-]{1,64}");
    private static final String REGION = "x-amz-bucket-region";

    private Answer() {}

    /** Its error code, or nothing where it named none that looks like one. */
    static String code(AwsServiceException answer) {
        return details(answer)
                .map(AwsErrorDetails::errorCode)
                .filter(code -> PLAIN.matcher(code).matches())
                .orElse("");
    }

    /** Whether it was given by a server of S3's kind, and not by something before it. */
    static boolean isOfS3(AwsServiceException answer) {
        boolean isBare = details(answer).map(AwsErrorDetails::errorCode).isEmpty();
        return !code(answer).isEmpty() || (isBare && answer.requestId() != null);
    }

    /** The server's time. */
    static Optional<Instant> time(AwsServiceException answer) {
        try {
            return details(answer).isEmpty()
                    ? Optional.empty()
                    : Optional.of(StoreTime.of(answer.awsErrorDetails().sdkHttpResponse()));
        } catch (ProtocolException e) {
            return Optional.empty();
        }
    }

    /** What it means, and what to do. */
    static String words(AwsServiceException answer) {
        return switch (code(answer)) {
            case "NoSuchBucket" ->
                    "there is no such bucket; create it, or check its name and"
                            + " AWS_ENDPOINT_URL_S3";
            case "AccessDenied", "AllAccessDisabled", "AccountProblem" ->
                    "access is denied: the"
                            + " bucket is somebody else's, or the credentials do not allow this; ask for"
                            + " s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject,"
                            + " s3:DeleteObject and s3:AbortMultipartUpload on its objects";
            case "InvalidAccessKeyId" ->
                    "the server does not know the access key; check"
                            + " AWS_ACCESS_KEY_ID or AWS_PROFILE";
            case "SignatureDoesNotMatch" ->
                    "the secret key does not fit the access key; check"
                            + " AWS_SECRET_ACCESS_KEY or AWS_PROFILE";
            case "ExpiredToken", "TokenRefreshRequired" ->
                    "the session token has expired; renew" + " the credentials";
            case "InvalidToken" -> "the session token is not valid; check AWS_SESSION_TOKEN";
            case "PermanentRedirect",
                    "TemporaryRedirect",
                    "AuthorizationHeaderMalformed",
                    "IllegalLocationConstraintException" ->
                    "the bucket is in another region; set"
                            + " AWS_REGION"
                            + region(answer).map(" to "::concat).orElse("");
            case "NotImplemented" -> "the server does not know how to do this (501); use another";
            case "InvalidBucketName" -> "a bucket cannot have this name; check it";
            case "SlowDown" -> "the store asks for fewer requests (SlowDown); try later";
            default ->
                    "the store answered "
                            + answer.statusCode()
                            + " "
                            + code(answer)
                            + requestId(answer);
        };
    }

    private static Optional<String> region(AwsServiceException answer) {
        return details(answer)
                .flatMap(details -> details.sdkHttpResponse().firstMatchingHeader(REGION))
                .filter(region -> PLAIN.matcher(region).matches());
    }

    private static String requestId(AwsServiceException answer) {
        return Optional.ofNullable(answer.requestId())
                .filter(id -> PLAIN.matcher(id).matches())
                .map(" (request %s)"::formatted)
                .orElse("");
    }

    private static Optional<AwsErrorDetails> details(AwsServiceException answer) {
        return Optional.ofNullable(answer.awsErrorDetails());
    }
}
