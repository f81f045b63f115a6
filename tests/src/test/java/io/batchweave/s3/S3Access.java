package io.batchweave.s3;

import io.batchweave.store.ObjectStore;
import io.batchweave.store.s3.S3Settings;
import io.batchweave.store.s3.S3Store;
import io.batchweave.world.World;
import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** Where a server is, and what opens it. */
public record S3Access(URI endpoint, String accessKey, String secretKey) {

    public ObjectStore open(String uri, World world, S3Settings settings) {
        return S3Store.open(URI.create(uri), world, settings, this::configure);
    }

    /** The same server by another way. */
    S3Access through(URI proxy) {
        return new S3Access(proxy, accessKey, secretKey);
    }

    private void configure(S3ClientBuilder client) {
        client.endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(
                        StaticCredentialsProvider.create(
                                AwsBasicCredentials.create(accessKey, secretKey)));
    }

    /** Puts an object there as other programs do, under any key. */
    void put(String bucket, String key) {
        S3ClientBuilder builder = S3Client.builder().forcePathStyle(true);
        configure(builder);
        try (S3Client client = builder.build()) {
            client.putObject(to -> to.bucket(bucket).key(key), RequestBody.fromString(key));
        }
    }

    public Map<String, String> environment() {
        return Map.of(
                "AWS_ENDPOINT_URL_S3",
                endpoint.toString(),
                "AWS_ACCESS_KEY_ID",
                accessKey,
                "AWS_SECRET_ACCESS_KEY",
                secretKey);
    }
}
