package io.batchweave.store.s3;

import io.batchweave.store.Bounds;
import io.batchweave.store.Fetched;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/** Single attempts to read objects and ranges of them. */
final class Fetches {
    private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d+)-\\d+/(\\d+)");
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final long OBJECT_BYTES_MAX = 1L << 46;

    /**
     * Bytes on their way to a direct buffer. The client receives into this piece, and from there
     * they are copied once.
     */
    private static final int PIECE_BYTES = 128 << 10;

    private final S3Location location;
    private final World world;
    private final Duration attempt;

    Fetches(S3Location location, World world, Duration attempt) {
        this.location = location;
        this.world = world;
        this.attempt = attempt;
    }

    /**
     * Reads a whole object.
     *
     * @throws IOException if the answer is cut short or is no answer
     */
    Fetched whole(S3Client client, String key, int bytesMax) throws IOException {
        try (ResponseInputStream<GetObjectResponse> body = client.getObject(request(key).build())) {
            Instant at = checked(body);
            long length = body.response().contentLength();
            if (length > bytesMax) {
                body.abort();
            }
            Bounds.checkWhole(location.uri(), key, length, bytesMax);
            ByteBuffer bytes = ByteBuffer.allocate((int) length);
            fill(bytes, body);
            return new Fetched.Found(bytes.flip(), at);
        } catch (NoSuchKeyException e) {
            return absent(e);
        }
    }

    /**
     * Fills the buffer from its position to its limit, and leaves its position there.
     *
     * @throws IOException if the answer is cut short or is no answer; then the buffer's position is
     *     where it was
     */
    Fetched range(S3Client client, String key, long offset, ByteBuffer target) throws IOException {
        return range(
                client,
                key,
                offset,
                target.remaining(),
                body -> {
                    ByteBuffer view = target.slice();
                    fill(target.duplicate(), body);
                    target.position(target.limit());
                    return view;
                });
    }

    /**
     * Hands on what a passage still lacks.
     *
     * @throws IOException if the answer is cut short or is no answer; the passage knows how far it
     *     came
     */
    Fetched through(S3Client client, String key, Passage passage) throws IOException {
        return range(
                client,
                key,
                passage.offset(),
                passage.left(),
                body -> {
                    handOn(passage, body);
                    return ByteBuffer.allocate(0);
                });
    }

    /** What is done with the body of an answer. */
    private interface Use {
        ByteBuffer of(ResponseInputStream<GetObjectResponse> body) throws IOException;
    }

    private Fetched range(S3Client client, String key, long offset, long length, Use use)
            throws IOException {
        if (length == 0) {
            return nothing(client, key, offset);
        }
        // No object is longer, and some servers break off where numbers get very large.
        long asked = Math.min(length, OBJECT_BYTES_MAX);
        long last = offset > Long.MAX_VALUE - asked ? Long.MAX_VALUE : offset + asked - 1;
        String range = "bytes=%d-%d".formatted(offset, last);
        try (ResponseInputStream<GetObjectResponse> body =
                client.getObject(request(key).range(range).build())) {
            Instant at = checked(body);
            checkRange(body, key, offset, length);
            return new Fetched.Found(use.of(body), at);
        } catch (NoSuchKeyException e) {
            return absent(e);
        } catch (AwsServiceException e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return pastTheEnd(client, key, offset, length);
            }
            throw e;
        }
    }

    /** No range is empty, so the object is only looked at. */
    private Fetched nothing(S3Client client, String key, long offset) throws IOException {
        try {
            HeadObjectResponse head = head(client, key);
            Bounds.checkRange(location.uri(), key, offset, 0, head.contentLength());
            return new Fetched.Found(ByteBuffer.allocate(0), StoreTime.of(head.sdkHttpResponse()));
        } catch (NoSuchKeyException e) {
            return absent(e);
        }
    }

    private Fetched pastTheEnd(S3Client client, String key, long offset, long length)
            throws IOException {
        try {
            Bounds.checkRange(
                    location.uri(), key, offset, length, head(client, key).contentLength());
            throw new ProtocolException("it has the range that it was asked for, and refuses it");
        } catch (NoSuchKeyException e) {
            return absent(e);
        }
    }

    private HeadObjectResponse head(S3Client client, String key) {
        return client.headObject(
                request -> request.bucket(location.bucket()).key(location.keyOf(key)));
    }

    private GetObjectRequest.Builder request(String key) {
        return GetObjectRequest.builder().bucket(location.bucket()).key(location.keyOf(key));
    }

    /** A page of a proxy has no tag, whatever its status says. */
    private static Instant checked(ResponseInputStream<GetObjectResponse> body)
            throws ProtocolException {
        GetObjectResponse answer = body.response();
        if (answer.eTag() == null || answer.contentLength() == null) {
            body.abort();
            throw new ProtocolException("its answer carries no ETag or no length");
        }
        return StoreTime.of(answer.sdkHttpResponse());
    }

    private void checkRange(
            ResponseInputStream<GetObjectResponse> body, String key, long offset, long length)
            throws ProtocolException {
        GetObjectResponse answer = body.response();
        String given = answer.contentRange() == null ? "" : answer.contentRange();
        Matcher range = CONTENT_RANGE.matcher(given);
        boolean isWhole = given.isEmpty() && offset == 0 && answer.contentLength() == length;
        if (isWhole) {
            return;
        }
        if (!range.matches() || Long.parseLong(range.group(1)) != offset) {
            body.abort();
            throw new ProtocolException("it was asked for a range and gave another");
        }
        if (answer.contentLength() < length) {
            body.abort();
            Bounds.checkRange(location.uri(), key, offset, length, Long.parseLong(range.group(2)));
            throw new ProtocolException("it was asked for a range and gave less");
        }
    }

    /** Reads what the buffer has room for, which is all there is. */
    private void fill(ByteBuffer target, ResponseInputStream<GetObjectResponse> body)
            throws IOException {
        Deadline deadline = world.deadline(attempt);
        try {
            byte[] piece =
                    target.hasArray()
                            ? target.array()
                            : new byte[Math.min(PIECE_BYTES, target.remaining())];
            while (target.hasRemaining()) {
                int at = target.hasArray() ? target.arrayOffset() + target.position() : 0;
                int room = target.hasArray() ? PIECE_BYTES : piece.length;
                int got = body.read(piece, at, Math.min(room, target.remaining()));
                check(got, deadline);
                if (target.hasArray()) {
                    target.position(target.position() + got);
                } else {
                    target.put(piece, 0, got);
                }
            }
        } catch (IOException e) {
            body.abort();
            throw e;
        }
    }

    /** Reads what the passage lacks, which is all there is, and hands it on in full pieces. */
    private void handOn(Passage passage, ResponseInputStream<GetObjectResponse> body)
            throws IOException {
        Deadline deadline = world.deadline(attempt);
        boolean done = false;
        try {
            byte[] piece = new byte[(int) Math.min(PIECE_BYTES, passage.left())];
            while (passage.left() > 0) {
                int length = (int) Math.min(piece.length, passage.left());
                for (int filled = 0; filled < length; ) {
                    int got = body.read(piece, filled, length - filled);
                    check(got, deadline);
                    filled += got;
                }
                passage.hand(ByteBuffer.wrap(piece, 0, length));
            }
            done = true;
        } finally {
            if (!done) {
                // Closing alone would read the rest, which nobody wants.
                body.abort();
            }
        }
    }

    private static void check(int got, Deadline deadline) throws IOException {
        if (got < 0) {
            throw new EOFException("the body ended too early");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
        if (!deadline.remains()) {
            throw new SocketTimeoutException("the body came too slowly");
        }
    }

    private static Fetched absent(NoSuchKeyException answer) throws ProtocolException {
        return new Fetched.Absent(StoreTime.of(answer.awsErrorDetails().sdkHttpResponse()));
    }
}
