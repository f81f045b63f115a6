package io.batchweave.store.s3;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Upload;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * An object on its way: one PUT if it fits a part, otherwise parts that leave while the next one is
 * filled. It holds the part being filled and no other that has arrived.
 */
final class S3Upload implements Upload {
    private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);
    private static final int FIRST_BYTES = 64 << 10;

    private final S3Uploads all;
    private final String key;
    private final String purpose;
    private final List<CompletableFuture<CompletedPart>> parts = new ArrayList<>();

    /** Empty until the object has outgrown its first part. */
    private Optional<String> id = Optional.empty();

    private ByteBuffer filling = ByteBuffer.allocate(0);
    private boolean open = true;

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
        begin();
        ByteBuffer part = filling.flip();
        filling = ByteBuffer.allocate(0);
        UploadPartRequest request =
                UploadPartRequest.builder()
                        .bucket(all.location().bucket())
                        .key(all.location().keyOf(key))
                        .uploadId(id.get())
                        .partNumber(parts.size() + 1)
                        .build();
        parts.add(all.send(purpose, () -> sent(request, part)));
    }

    /** From now on, whatever its length, it goes in parts. */
    void begin() {
        if (id.isEmpty()) {
            id = Optional.of(all.patience().with(purpose, this::newId));
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

    private CompletedPart sent(UploadPartRequest request, ByteBuffer part) throws IOException {
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
            if (e.getCause() instanceof UnavailableException known) {
                throw known;
            }
            throw e;
        }
    }

    @Override
    public Creation complete() {
        requireOpen();
        try {
            Creation creation = id.isEmpty() ? put() : assemble();
            if (!(creation instanceof Creation.Refused)) {
                // The parts are the object, or may yet become it.
                id = Optional.empty();
            }
            return creation;
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
        CompleteMultipartUploadRequest request =
                CompleteMultipartUploadRequest.builder()
                        .bucket(all.location().bucket())
                        .key(all.location().keyOf(key))
                        .uploadId(id.orElseThrow())
                        .ifNoneMatch("*")
                        .multipartUpload(upload -> upload.parts(arrived))
                        .build();
        return all.creates().patiently(purpose, () -> written(request));
    }

    private Creates.Written written(CompleteMultipartUploadRequest request) {
        CompleteMultipartUploadResponse answer = client().completeMultipartUpload(request);
        return new Creates.Written(answer, Optional.ofNullable(answer.eTag()));
    }

    private S3Client client() {
        return all.client();
    }

    /** Gives up the parts, unless they have become the object or may yet. */
    @Override
    public void close() {
        open = false;
        all.over(this);
        filling = ByteBuffer.allocate(0);
        id.ifPresent(this::abort);
        id = Optional.empty();
    }

    private void abort(String upload) {
        // A part that arrives later would stay.
        parts.forEach(
                part -> part.exceptionally(failure -> CompletedPart.builder().build()).join());
        try {
            client().abortMultipartUpload(
                            request ->
                                    request.bucket(all.location().bucket())
                                            .key(all.location().keyOf(key))
                                            .uploadId(upload));
        } catch (SdkException | IllegalStateException | RejectedExecutionException e) {
            LOG.debug("Parts of {} stay until the bucket's rules remove them", key, e);
        }
    }

    private void requireOpen() {
        if (!open) {
            throw new InvalidRequestException(
                    "Cannot %s: its upload is over; start another".formatted(purpose));
        }
    }
}
