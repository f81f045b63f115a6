package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.s3.Problem.Kind;
import io.batchweave.world.Deadline;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Response;

/** Conditional writes, and how they came out (STORE-1). */
final class Creates {
    private final Patience patience;

    Creates(Patience patience) {
        this.patience = patience;
    }

    /** A write that happens only if its key is absent. */
    @FunctionalInterface
    interface Write {
        /** Returns the answer and the object's tag in it, which every store of S3's kind gives. */
        Written make();
    }

    /** What answered, and the tag it gave the object. */
    record Written(S3Response answer, Optional<String> tag) {}

    /**
     * Makes the write once.
     *
     * @param purpose as in "create log/0 in s3://bucket/"
     * @throws UnavailableException if the server refused it, so that it certainly did not happen
     */
    Creation once(String purpose, Write write) {
        patience.requireOpen(purpose);
        try {
            Instant at = confirmed(write.make());
            patience.heard();
            return new Creation.Done(at);
        } catch (SdkException | IOException e) {
            Problem problem = Problem.of(e);
            patience.heard(problem);
            Optional<Instant> refusedAt = refusedAt(problem, e);
            if (refusedAt.isPresent()) {
                return new Creation.Refused(refusedAt.get());
            }
            String text = "Cannot %s: %s".formatted(purpose, problem.why());
            return switch (problem.kind()) {
                case NO_ACCESS -> throw new NoAccessException(text, e);
                case REFUSED -> throw new UnavailableException(text, e);
                default -> new Creation.Unknown(new UnavailableException(text, e));
            };
        } catch (IllegalStateException | RejectedExecutionException e) {
            throw patience.afterEnd(purpose, e);
        }
    }

    /**
     * Makes the write of an upload again as long as it is not known how it came out: who wrote it
     * no longer has its bytes and cannot. That changes nothing in what its outcomes mean:
     *
     * <ol>
     *   <li>An attempt was carried out and its answer lost; the next one is refused. A refusal may
     *       be of our own earlier attempt, as any refusal may be, and who wrote it looks (STORE-2).
     *   <li>An attempt is still on its way, and the next one is done. Both would make the same
     *       object, and the late one is refused.
     *   <li>An attempt was carried out, and the next one finds the parts gone. That is no failure:
     *       it stays unknown.
     * </ol>
     *
     * @throws UnavailableException if the server refused the first one, so that it certainly did
     *     not happen
     */
    Creation patiently(String purpose, Write write) {
        Deadline deadline = patience.deadline();
        Creation creation = once(purpose, write);
        for (int tries = 1; creation instanceof Creation.Unknown && deadline.remains(); tries++) {
            patience.pauseBefore(tries);
            if (Thread.currentThread().isInterrupted()) {
                return creation;
            }
            try {
                creation = once(purpose, write);
            } catch (UnavailableException | InvalidRequestException e) {
                // This attempt did not happen, or the store was closed; an earlier one may have.
                return creation;
            }
        }
        return creation;
    }

    /** A page of a proxy has no tag, whatever its status says. */
    private static Instant confirmed(Written written) throws ProtocolException {
        if (written.tag().isEmpty()) {
            throw new ProtocolException("its answer carries no ETag");
        }
        return StoreTime.of(written.answer().sdkHttpResponse());
    }

    private static Optional<Instant> refusedAt(Problem problem, Exception failure) {
        return problem.kind() == Kind.EXISTS && failure instanceof AwsServiceException answer
                ? Answer.time(answer)
                : Optional.empty();
    }
}
