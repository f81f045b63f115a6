package io.batchweave.store.s3;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * An object on its way: one PUT if it fits a part, otherwise parts that leave while the next one is
 * filled. It holds the part being filled, which grows to a part's size, and those that have not
 * arrived, whose number all uploads share ({@link S3Settings#partsInFlightMax}).
 *
 * <p>Used by one thread; another one, which closes the store, may abandon it meanwhile.
 */
final class S3Upload implements Upload {
    private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int FIRST_BYTES = 64 << 10;

    private final S3Uploads all;
    private final String key;
    private final String purpose;
    private final List<CompletableFuture<CompletedPart>> parts = new CopyOnWriteArrayList<>();

    /**
     * Empty until the object has outgrown its first part, and once somebody has taken it, to
     * complete the upload or to abort it: one thread can.
     */
    private final AtomicReference<Optional<String>> id = new AtomicReference<>(Optional.empty());

    private ByteBuffer filling = NOTHING;
    private volatile boolean open = true;

    S3Upload(S3Uploads all, String key, String purpose) {
        this.all = all;
        this.key = key;
        this.purpose = purpose;
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireOpen();
        try {
            while (bytes.hasRemaining()) {
                if (filling.position() == all.partBytes()) {
                    send();
                }
                makeRoom(bytes.remaining());
                int moved = Math.min(bytes.remaining(), filling.remaining());
                filling.put(bytes.slice().limit(moved));
                bytes.position(bytes.position() + moved);
            }
        } catch (BatchWeaveException e) {
            close();
            throw e;
        }
    }

    /** The buffer grows to a part's size as it is needed: most objects are small. */
    private void makeRoom(int wanted) {
        if (filling.hasRemaining()) {
            return;
        }
        long doubled = Math.max(FIRST_BYTES, 2L * filling.capacity());
        long needed = (long) filling.position() + wanted;
        int capacity = (int) Math.min(all.partBytes(), Math.max(doubled, needed));
        filling = ByteBuffer.allocate(capacity).put(filling.flip());
    }

    /** Sends what is filled as a part of its own, the first one after beginning an upload. */
    private void send() {
        parts.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(this::arrived);
        if (parts.isEmpty()) {
            begin();
        }
        ByteBuffer part = filling.flip();
        filling = NOTHING;
        UploadPartRequest request =
                UploadPartRequest.builder()
                        .bucket(all.location().bucket())
                        .key(all.location().keyOf(key))
                        .uploadId(id.get().orElseThrow(this::over))
                        .partNumber(parts.size() + 1)
                        .build();
        parts.add(all.send(purpose, () -> sent(request, part)));
    }

    /** From now on, whatever its length, it goes in parts. */
    void begin() {
        if (id.get().isEmpty()) {
            id.set(Optional.of(all.patience().with(purpose, this::newId)));
        }
    }

    private String newId() throws IOException {
        String begun =
                client().createMultipartUpload(
                                request ->
                                        request.bucket(all.location().bucket())
                                                .key(all.location().keyOf(key)))
                        .uploadId();
        if (begun == null) {
            throw new ProtocolException("its answer names no upload");
        }
        return begun;
    }

    /** A part of an upload that is over is not sent again. */
    private CompletedPart sent(UploadPartRequest request, ByteBuffer part) throws IOException {
        requireOpen();
        String tag = client().uploadPart(request, BufferStream.body(part)).eTag();
        if (tag == null) {
            throw new ProtocolException("its answer carries no ETag");
        }
        return CompletedPart.builder().partNumber(request.partNumber()).eTag(tag).build();
    }

    private CompletedPart arrived(CompletableFuture<CompletedPart> part) {
        try {
            return part.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof BatchWeaveException known) {
                throw known;
            }
            throw e;
        }
    }

    @Override
    public Creation complete() {
        requireOpen();
        try {
            return id.get().isEmpty() ? put() : assemble();
        } finally {
            close();
        }
    }

    private Creation put() {
        ByteBuffer body = filling.flip();
        return all.creates()
                .patiently(
                        purpose,
                        () ->
                                S3Store.written(
                                        client().putObject(
                                                        S3Store.put(all.location(), key),
                                                        BufferStream.body(body))));
    }

    private Creation assemble() {
        send();
        List<CompletedPart> arrived = parts.stream().map(this::arrived).toList();
        // From here on the parts are the object, or may yet become it, and nobody aborts them.
        Optional<String> upload = id.getAndSet(Optional.empty());
        CompleteMultipartUploadRequest request =
                CompleteMultipartUploadRequest.builder()
                        .bucket(all.location().bucket())
                        .key(all.location().keyOf(key))
                        .uploadId(upload.orElseThrow(this::over))
                        .ifNoneMatch("*")
                        .multipartUpload(parts -> parts.parts(arrived))
                        .build();
        boolean mayBecomeTheObject = false;
        try {
            Creation creation = all.creates().patiently(purpose, () -> written(request));
            mayBecomeTheObject = !(creation instanceof Creation.Refused);
            return creation;
        } finally {
            if (!mayBecomeTheObject) {
                id.set(upload);
            }
        }
    }

    private Creates.Written written(CompleteMultipartUploadRequest request) {
        CompleteMultipartUploadResponse answer = client().completeMultipartUpload(request);
        return new Creates.Written(answer, Optional.ofNullable(answer.eTag()));
    }

    private S3Client client() {
        return all.client();
    }

    /**
     * Gives up the parts, unless they have become the object or may yet: as soon as none is under
     * way any more, since one that arrived later would stay. That is not waited for.
     */
    @Override
    public void close() {
        abandon();
        filling = NOTHING;
    }

    /** The same, for another thread than that which fills it. */
    void abandon() {
        open = false;
        var unused =
                CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
                        .whenComplete((done, failure) -> abort());
    }

    /**
     * A thread that is interrupted, before or while it sends this, leaves it to the one that closes
     * the store. Who comes second waits for the first: then the store closes its clients.
     */
    private synchronized void abort() {
        if (Thread.currentThread().isInterrupted()) {
            return;
        }
        Optional<String> upload = id.getAndSet(Optional.empty());
        if (upload.isEmpty() || abort(upload.get())) {
            all.over(this);
        } else {
            id.set(upload);
        }
    }

    /** Asks the server to remove the parts; false if the thread was interrupted over it. */
    private boolean abort(String upload) {
        try {
            all.cleaner()
                    .abortMultipartUpload(
                            request ->
                                    request.bucket(all.location().bucket())
                                            .key(all.location().keyOf(key))
                                            .uploadId(upload));
            return true;
        } catch (SdkException | IllegalStateException | RejectedExecutionException e) {
            LOG.debug("Parts of {} stay until the bucket's rules remove them", key, e);
            return !(e instanceof AbortedException) && !Thread.currentThread().isInterrupted();
        }
    }

    private void requireOpen() {
        if (!open) {
            throw over();
        }
    }

    private InvalidRequestException over() {
        return new InvalidRequestException(
                "Cannot %s: its upload is over; start another".formatted(purpose));
    }
}
