package io.batchweave.store.s3;

import io.batchweave.errors.UnavailableException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** The uploads of one store, and what they share: the memory and the threads of their parts. */
final class S3Uploads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(S3Uploads.class);
    private static final Duration ENDING = Duration.ofSeconds(5);

    private final S3Location location;
    private final S3Clients clients;
    private final Patience patience;
    private final Creates creates;
    private final int partBytes;
    private final Semaphore inFlight;
    private final ExecutorService senders;
    private final Set<S3Upload> open = ConcurrentHashMap.newKeySet();

    S3Uploads(
            S3Location location,
            S3Clients clients,
            Patience patience,
            Creates creates,
            S3Settings settings) {
        this.location = location;
        this.clients = clients;
        this.patience = patience;
        this.creates = creates;
        this.partBytes = settings.partBytes();
        this.inFlight = new Semaphore(settings.partsInFlightMax());
        this.senders =
                Executors.newCachedThreadPool(
                        task -> {
                            Thread thread = new Thread(task, "s3-parts");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    S3Upload start(String key, String purpose) {
        S3Upload upload = new S3Upload(this, key, purpose);
        open.add(upload);
        return upload;
    }

    /** The same, in parts even if it fits one. */
    S3Upload startInParts(String key, String purpose) {
        S3Upload upload = start(key, purpose);
        upload.begin();
        return upload;
    }

    void over(S3Upload upload) {
        open.remove(upload);
    }

    S3Location location() {
        return location;
    }

    S3Client client() {
        return clients.data();
    }

    /** For what is to go through however many parts are under way. */
    S3Client cleaner() {
        return clients.commits();
    }

    Patience patience() {
        return patience;
    }

    Creates creates() {
        return creates;
    }

    int partBytes() {
        return partBytes;
    }

    /**
     * Sends a part once fewer than the most are under way; returns while it is.
     *
     * @throws UnavailableException if the thread is interrupted
     */
    CompletableFuture<CompletedPart> send(String purpose, Patience.Request<CompletedPart> request) {
        try {
            inFlight.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "Cannot %s: the thread was interrupted".formatted(purpose), e);
        }
        try {
            return CompletableFuture.supplyAsync(() -> patience.with(purpose, request), senders)
                    .whenComplete((sent, failure) -> inFlight.release());
        } catch (RejectedExecutionException e) {
            inFlight.release();
            throw patience.afterEnd(purpose, e);
        } catch (RuntimeException | Error e) {
            inFlight.release();
            throw e;
        }
    }

    /**
     * Ends all that is under way, and removes the parts of what was not completed. No part is
     * waited for: its thread is interrupted, and its connection is gone.
     */
    @Override
    public void close() {
        senders.shutdownNow();
        clients.data().close();
        try {
            if (!senders.awaitTermination(ENDING.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Parts are still under way to {}", location.uri());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        open.forEach(S3Upload::abandon);
    }
}
