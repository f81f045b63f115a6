package io.batchweave.store.s3;

import io.batchweave.store.s3.FakeS3.Mishap;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import software.amazon.awssdk.core.SdkGlobalTime;

/**
 * The clock by which the SDK signs is wrong until this is closed, and a server refuses what was
 * signed at another time.
 */
final class Skewed implements AutoCloseable {
    private static final Duration MOST = Duration.ofMinutes(15);
    private static final DateTimeFormatter SIGNED =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssX");

    private Skewed() {}

    /** Clients that are made from now on are so far behind. */
    static Skewed by(Duration behind) {
        SdkGlobalTime.setGlobalTimeOffset((int) behind.toSeconds());
        return new Skewed();
    }

    static Mishap refused() {
        return (request, server) -> {
            Instant signed =
                    SIGNED.parse(request.header("X-amz-date").orElseThrow(), Instant::from);
            boolean isNear = Duration.between(signed, Instant.now()).abs().compareTo(MOST) < 0;
            return Optional.of(
                    isNear ? server.answer(request) : FakeReply.error(403, "RequestTimeTooSkewed"));
        };
    }

    @Override
    public void close() {
        SdkGlobalTime.setGlobalTimeOffset(0);
    }
}
