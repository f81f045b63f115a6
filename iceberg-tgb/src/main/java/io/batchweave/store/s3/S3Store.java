package io.batchweave.store.s3;

import io.batchweave.store.Bounds;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Keys;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.Timekeeper;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Objects in a part of a bucket. Store time is the server's. */
public final class S3Store implements ObjectStore {
    private static final int DELETES_MAX = 1_000;
    private static final String ABSENT = "*";

    private final S3Location location;
    private final S3Clients clients;
    private final Patience patience;
    private final Creates creates;
    private final Fetches fetches;
    private final S3Uploads uploads;

    private S3Store(S3Location location, S3Clients clients, World world, S3Settings settings) {
        this.location = location;
        this.clients = clients;
        this.patience = new Patience(world, settings.patience());
        this.creates = new Creates(patience);
        this.fetches = new Fetches(location, world, settings.attempt());
        this.uploads = new S3Uploads(location, clients, patience, creates, settings);
    }

    /**
     * Opens the store that a URI such as {@code s3://bucket/warehouse} names. Nothing is asked of
     * the server yet.
     *
     * @param more the last word on how the SDK's clients are built: an endpoint, a region,
     *     credentials; called several times
     * @throws io.batchweave.errors.InvalidRequestException if the URI names no bucket, or no region
     *     or no credentials are configured
     */
    public static S3Store open(
            URI uri, World world, S3Settings settings, Consumer<S3ClientBuilder> more) {
        S3Location location = S3Location.of(uri);
        S3Clients clients = S3Clients.of(location.uri(), settings, more);
        return new S3Store(location, clients, world, settings);
    }

    @Override
    public String uri() {
        return location.uri();
    }

    @Override
    public Timekeeper timekeeper() {
        return Timekeeper.STORE;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        PutObjectRequest request = put(location, key);
        return creates.once(
                purpose("create", key),
                () -> written(clients.commits().putObject(request, BufferStream.body(body))));
    }

    static PutObjectRequest put(S3Location location, String key) {
        return PutObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.keyOf(key))
                .ifNoneMatch(ABSENT)
                .build();
    }

    static Creates.Written written(PutObjectResponse answer) {
        return new Creates.Written(answer, Optional.ofNullable(answer.eTag()));
    }

    @Override
    public Upload upload(String key) {
        return uploads.start(Keys.check(key), purpose("create", key));
    }

    @Override
    public Upload uploadInParts(String key) {
        return uploads.startInParts(Keys.check(key), purpose("create", key));
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        Keys.check(key);
        return patience.with(
                purpose("read", key), () -> fetches.whole(clients.commits(), key, bytesMax));
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        Keys.check(key);
        Bounds.checkOffset(offset);
        return patience.with(
                purpose("read", key), () -> fetches.range(clients.data(), key, offset, target));
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        Keys.check(key);
        Bounds.checkSpan(offset, length);
        Passage passage = new Passage(offset, length, sink);
        return passage.withItsFailure(
                () ->
                        patience.with(
                                purpose("read", key),
                                () -> fetches.through(clients.data(), key, passage)));
    }

    @Override
    public Listing list(String folder, String after) {
        String prefix = Keys.prefix(Keys.checkFolder(folder));
        Keys.checkFolder(after);
        ListObjectsV2Request.Builder request =
                ListObjectsV2Request.builder()
                        .bucket(location.bucket())
                        .prefix(location.prefix() + prefix)
                        .delimiter("/");
        if (!after.isEmpty()) {
            request.startAfter(location.prefix() + after);
        }
        List<Listing.Item> objects = new ArrayList<>();
        Set<String> folders = new HashSet<>();
        Set<String> others = new HashSet<>();
        boolean more = true;
        while (more) {
            ListObjectsV2Request next = request.build();
            ListObjectsV2Response page = patience.with(purpose("list", folder), () -> page(next));
            page.contents().forEach(object -> addTo(objects, others, object, prefix, after));
            page.commonPrefixes().forEach(below -> addTo(folders, others, below, prefix, after));
            more = page.isTruncated();
            request.continuationToken(page.nextContinuationToken());
        }
        return new Listing(objects, List.copyOf(folders), List.copyOf(others));
    }

    /** A page of a proxy must not be taken for an empty folder. */
    private ListObjectsV2Response page(ListObjectsV2Request request) throws ProtocolException {
        ListObjectsV2Response page = clients.data().listObjectsV2(request);
        boolean isEndless =
                Boolean.TRUE.equals(page.isTruncated()) && page.nextContinuationToken() == null;
        if (page.name() == null || page.isTruncated() == null || isEndless) {
            throw new ProtocolException("its answer is no listing");
        }
        return page;
    }

    private void addTo(
            List<Listing.Item> objects,
            Set<String> others,
            S3Object object,
            String prefix,
            String after) {
        String key = object.key().substring(location.prefix().length());
        String name = key.substring(prefix.length());
        if (key.compareTo(after) > 0 && Keys.isName(name)) {
            objects.add(new Listing.Item(key, object.size()));
        } else if (key.compareTo(after) > 0 && Keys.isOther(name) && !name.isEmpty()) {
            others.add(name);
        }
    }

    private void addTo(
            Set<String> folders,
            Set<String> others,
            CommonPrefix below,
            String prefix,
            String after) {
        String path = below.prefix();
        String key = path.substring(location.prefix().length(), path.length() - 1);
        String name = key.substring(prefix.length());
        if (key.compareTo(after) > 0 && Keys.isName(name)) {
            folders.add(name);
        } else if (key.compareTo(after) >= 0 && Keys.isOther(name)) {
            others.add(name + "/");
        }
    }

    @Override
    public void delete(Collection<String> keys) {
        List<ObjectIdentifier> objects =
                keys.stream()
                        .map(key -> ObjectIdentifier.builder().key(location.keyOf(key)).build())
                        .toList();
        for (int from = 0; from < objects.size(); from += DELETES_MAX) {
            List<ObjectIdentifier> some =
                    objects.subList(from, Math.min(objects.size(), from + DELETES_MAX));
            patience.with("delete from " + uri(), () -> deleted(some));
        }
    }

    private DeleteObjectsResponse deleted(List<ObjectIdentifier> objects) throws ProtocolException {
        DeleteObjectsResponse answer =
                clients.data()
                        .deleteObjects(
                                request ->
                                        request.bucket(location.bucket())
                                                .delete(delete -> delete.objects(objects)));
        for (S3Error error : answer.errors()) {
            throw failure(error);
        }
        if (answer.deleted().isEmpty()) {
            throw new ProtocolException("its answer does not say what was deleted");
        }
        return answer;
    }

    /** What the server said of one key, as it would say it of a request. */
    private static S3Exception failure(S3Error error) {
        int status = "AccessDenied".equals(error.code()) ? 403 : 500;
        return (S3Exception)
                S3Exception.builder()
                        .awsErrorDetails(AwsErrorDetails.builder().errorCode(error.code()).build())
                        .statusCode(status)
                        .build();
    }

    private String purpose(String verb, String key) {
        return verb + " " + key + " in " + uri();
    }

    @Override
    public void close() {
        patience.end();
        uploads.close();
        clients.close();
    }
}
