package io.batchweave.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a {@link FakeS3} does when all goes well: objects, ranges, pages, uploads in parts. */
final class FakeBucket {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");
    private static final int PAGE = 1_000;
    private static final int LOOKING_MS = 2;

    /** How far it heeds {@code If-None-Match}. */
    enum Conditions {
        HONOURED,
        IGNORED,
        IGNORED_BY_PARTS,
        /** Of creates at the same time several win. */
        RACY
    }

    private final String name;
    private final Conditions conditions;
    private final NavigableMap<String, byte[]> objects = new TreeMap<>();
    private final Map<String, SortedMap<Integer, byte[]>> uploads = new HashMap<>();
    private int uploadsBegun;

    FakeBucket(String name, Conditions conditions) {
        this.name = name;
        this.conditions = conditions;
    }

    /** Uploads that were begun and neither completed nor aborted. */
    synchronized int openUploads() {
        return uploads.size();
    }

    FakeReply answer(FakeRequest request) {
        if (!request.bucket().equals(name)) {
            return FakeReply.error(404, "NoSuchBucket");
        }
        if (conditions == Conditions.RACY && request.header("If-none-match").isPresent()) {
            boolean exists = exists(request.key());
            letOthersLook();
            return exists ? FakeReply.error(412, "PreconditionFailed") : write(request, true);
        }
        return write(request, false);
    }

    /** Between looking and writing, as a server does that has no lock. */
    /** Puts an object here without a request. */
    synchronized void plant(String key, byte[] object) {
        objects.put(key, object);
    }

    private static void letOthersLook() {
        try {
            if (new Semaphore(0).tryAcquire(LOOKING_MS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("there was nothing to acquire");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean exists(String key) {
        return objects.containsKey(key);
    }

    private synchronized FakeReply write(FakeRequest request, boolean mayReplace) {
        return switch (request.method()) {
            case "GET" -> request.has("list-type") ? list(request) : get(request);
            case "HEAD" -> get(request);
            case "PUT" -> request.has("partNumber") ? part(request) : put(request, mayReplace);
            case "POST" -> post(request, mayReplace);
            case "DELETE" -> abort(request);
            default -> FakeReply.error(405, "MethodNotAllowed");
        };
    }

    private FakeReply post(FakeRequest request, boolean mayReplace) {
        if (request.has("delete")) {
            return delete(request);
        }
        return request.has("uploadId") ? complete(request, mayReplace) : begin(request);
    }

    private boolean isRefused(FakeRequest request, boolean mayReplace) {
        boolean ignored =
                mayReplace
                        || conditions == Conditions.IGNORED
                        || (conditions == Conditions.IGNORED_BY_PARTS && request.has("uploadId"));
        return !ignored
                && request.header("If-none-match").isPresent()
                && objects.containsKey(request.key());
    }

    private FakeReply put(FakeRequest request, boolean mayReplace) {
        if (isRefused(request, mayReplace)) {
            return FakeReply.error(412, "PreconditionFailed");
        }
        objects.put(request.key(), request.body());
        return FakeReply.empty(200).with("ETag", tag(request.body()));
    }

    private FakeReply get(FakeRequest request) {
        byte[] object = objects.get(request.key());
        if (object == null) {
            return FakeReply.error(404, "NoSuchKey");
        }
        String asked = request.header("Range").orElse("");
        if (asked.isEmpty()) {
            return found(200, object, object);
        }
        MatchResult range = RANGE.matcher(asked).results().findFirst().orElseThrow();
        long from = Long.parseLong(range.group(1));
        if (from >= object.length) {
            return FakeReply.error(416, "InvalidRange");
        }
        long last = Math.min(object.length - 1, Long.parseLong(range.group(2)));
        byte[] bytes = Arrays.copyOfRange(object, (int) from, (int) last + 1);
        return found(206, object, bytes)
                .with("Content-Range", "bytes %d-%d/%d".formatted(from, last, object.length));
    }

    private static FakeReply found(int status, byte[] object, byte[] bytes) {
        return new FakeReply(status, Map.of("ETag", tag(object)), bytes, 0);
    }

    private static String tag(byte[] object) {
        return "\"%08x\"".formatted(Arrays.hashCode(object));
    }

    private FakeReply list(FakeRequest request) {
        String prefix = request.query().get("prefix");
        String after =
                request.query()
                        .getOrDefault(
                                "continuation-token",
                                request.query().getOrDefault("start-after", ""));
        StringBuilder entries = new StringBuilder();
        int count = 0;
        String last = after;
        String key = objects.higherKey(after);
        while (key != null && count < PAGE) {
            int slash = key.startsWith(prefix) ? key.indexOf('/', prefix.length()) : -1;
            // No character of a key comes after a tilde.
            last = slash < 0 ? key : key.substring(0, slash) + "/~";
            if (slash >= 0) {
                entries.append(
                        "<CommonPrefixes><Prefix>%s</Prefix></CommonPrefixes>"
                                .formatted(key.substring(0, slash + 1)));
                count++;
            } else if (key.startsWith(prefix)) {
                entries.append(
                        "<Contents><Key>%s</Key><Size>%d</Size></Contents>"
                                .formatted(key, objects.get(key).length));
                count++;
            }
            key = objects.higherKey(last);
        }
        return FakeReply.xml(
                200,
                "<ListBucketResult><Name>%s</Name><IsTruncated>%s</IsTruncated>%s%s</ListBucketResult>"
                        .formatted(
                                name,
                                key != null,
                                "<NextContinuationToken>" + last + "</NextContinuationToken>",
                                entries));
    }

    private FakeReply begin(FakeRequest request) {
        String id = "upload-" + ++uploadsBegun;
        uploads.put(id, new TreeMap<>());
        return FakeReply.xml(
                200,
                "<InitiateMultipartUploadResult><Key>%s</Key><UploadId>%s</UploadId></InitiateMultipartUploadResult>"
                        .formatted(request.key(), id));
    }

    private FakeReply part(FakeRequest request) {
        SortedMap<Integer, byte[]> parts = uploads.get(request.query().get("uploadId"));
        if (parts == null) {
            return FakeReply.error(404, "NoSuchUpload");
        }
        parts.put(Integer.valueOf(request.query().get("partNumber")), request.body());
        return FakeReply.empty(200).with("ETag", tag(request.body()));
    }

    private FakeReply complete(FakeRequest request, boolean mayReplace) {
        String id = request.query().get("uploadId");
        if (!uploads.containsKey(id)) {
            return FakeReply.error(404, "NoSuchUpload");
        }
        if (isRefused(request, mayReplace)) {
            return FakeReply.error(412, "PreconditionFailed");
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        uploads.remove(id).values().forEach(whole::writeBytes);
        objects.put(request.key(), whole.toByteArray());
        return FakeReply.xml(
                200,
                "<CompleteMultipartUploadResult><ETag>%s</ETag></CompleteMultipartUploadResult>"
                        .formatted(tag(whole.toByteArray())));
    }

    private FakeReply abort(FakeRequest request) {
        return uploads.remove(request.query().get("uploadId")) == null
                ? FakeReply.error(404, "NoSuchUpload")
                : FakeReply.empty(204);
    }

    private FakeReply delete(FakeRequest request) {
        StringBuilder deleted = new StringBuilder();
        KEY.matcher(new String(request.body(), UTF_8))
                .results()
                .forEach(
                        key -> {
                            objects.remove(key.group(1));
                            deleted.append("<Deleted>%s</Deleted>".formatted(key.group()));
                        });
        return FakeReply.xml(200, "<DeleteResult>%s</DeleteResult>".formatted(deleted));
    }
}
