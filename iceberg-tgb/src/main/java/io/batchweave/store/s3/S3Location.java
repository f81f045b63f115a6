package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.Keys;
import java.net.URI;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A part of a bucket.
 *
 * @param bucket its name
 * @param prefix what all its keys start with: nothing, or names that each end in a slash
 */
record S3Location(String bucket, String prefix) {
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,254}");

    /**
     * What a URI such as {@code s3://bucket/warehouse} names.
     *
     * @throws InvalidRequestException if it names nothing
     */
    static S3Location of(URI uri) {
        String bucket = Objects.toString(uri.getRawAuthority(), "");
        if (!BUCKET.matcher(bucket).matches()) {
            throw refused("it names no bucket; write it as s3://bucket/folder");
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused(
                    "it ends in settings; give them as AWS_ENDPOINT_URL_S3, AWS_REGION or AWS_PROFILE");
        }
        String folder = uri.getPath().replaceAll("^/+|/+$", "");
        try {
            return new S3Location(bucket, Keys.prefix(Keys.checkFolder(folder)));
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "Cannot open a store by its URI: %s".formatted(e.getMessage()), e);
        }
    }

    private static InvalidRequestException refused(String why) {
        return new InvalidRequestException("Cannot open a store by its URI: " + why);
    }

    String uri() {
        return "s3://" + bucket + "/" + prefix;
    }

    /** The key in the bucket of a key in this part of it. */
    String keyOf(String key) {
        return prefix + Keys.check(key);
    }
}
