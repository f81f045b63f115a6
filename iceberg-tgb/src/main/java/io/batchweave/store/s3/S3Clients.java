package io.batchweave.store.s3;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.s3.S3Settings.Addressing;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Two clients of one server.
 *
 * @param commits for creates and reads of whole, small objects
 * @param data for everything else
 */
record S3Clients(S3Client commits, S3Client data) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(S3Clients.class);

    /** A region is part of every signature. Servers that are not Amazon's hardly care which. */
    private static final Region ANY_REGION = Region.US_EAST_1;

    /**
     * Makes the clients. Nothing is asked of the server yet.
     *
     * @param more the last word on how each client is built
     * @throws InvalidRequestException if no region or no credentials are configured
     */
    static S3Clients of(String uri, S3Settings settings, Consumer<S3ClientBuilder> more) {
        try {
            Consumer<S3ClientBuilder> all = place(settings, more).andThen(more);
            return with(
                    client(settings, settings.connectionsMax(), settings.attempt(), all),
                    settings,
                    all);
        } catch (SdkClientException e) {
            throw new InvalidRequestException("Cannot open " + uri + ": " + missing(e), e);
        } catch (NullPointerException | IllegalArgumentException e) {
            // What the SDK throws for an endpoint that is no URL.
            throw new InvalidRequestException(
                    "Cannot open "
                            + uri
                            + ": its endpoint is no URL; write AWS_ENDPOINT_URL_S3 as"
                            + " http://host:port or https://host",
                    e);
        }
    }

    /** With a client for data, which is closed if there can be none for commits. */
    private static S3Clients with(
            S3Client data, S3Settings settings, Consumer<S3ClientBuilder> more) {
        try {
            // Better now, and once, than at each request.
            data.serviceClientConfiguration().credentialsProvider().resolveIdentity().join();
            Duration attempt = settings.silence().multipliedBy(2);
            return new S3Clients(
                    client(settings, settings.commitConnectionsMax(), attempt, more), data);
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private static String missing(SdkClientException failure) {
        LOG.debug("The AWS SDK could not be set up", failure);
        return String.valueOf(failure.getMessage()).contains("region")
                ? "no region is configured; set AWS_REGION"
                : "no credentials are configured; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
                        + " name a profile by AWS_PROFILE";
    }

    /** Where the server is and how buckets are named there, as far as {@code more} does not say. */
    private static Consumer<S3ClientBuilder> place(
            S3Settings settings, Consumer<S3ClientBuilder> more) {
        boolean elsewhere = isElsewhere(more);
        boolean path =
                settings.addressing() == Addressing.PATH
                        || (settings.addressing() == Addressing.AUTOMATIC && elsewhere);
        return client -> {
            client.forcePathStyle(path);
            if (elsewhere) {
                client.region(configuredRegion());
            }
        };
    }

    /** Whether an endpoint is configured, in whatever way: the SDK knows them all. */
    private static boolean isElsewhere(Consumer<S3ClientBuilder> more) {
        S3ClientBuilder builder = S3Client.builder().region(ANY_REGION);
        more.accept(builder);
        try (S3Client client = builder.build()) {
            Optional<URI> endpoint = client.serviceClientConfiguration().endpointOverride();
            if (endpoint.filter(url -> !url.getScheme().matches("https?")).isPresent()) {
                throw new IllegalArgumentException("An endpoint of another scheme");
            }
            return endpoint.isPresent();
        }
    }

    /** Without asking the metadata service of a machine that may not be Amazon's. */
    private static Region configuredRegion() {
        try {
            return new AwsRegionProviderChain(
                            new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                    .getRegion();
        } catch (SdkClientException e) {
            return ANY_REGION;
        }
    }

    private static S3Client client(
            S3Settings settings,
            int connectionsMax,
            Duration attempt,
            Consumer<S3ClientBuilder> more) {
        S3ClientBuilder builder =
                S3Client.builder()
                        .httpClientBuilder(
                                Apache5HttpClient.builder()
                                        .maxConnections(connectionsMax)
                                        .connectionTimeout(settings.connect())
                                        .connectionAcquisitionTimeout(attempt)
                                        .socketTimeout(settings.silence())
                                        .expectContinueEnabled(false))
                        // Bodies are sent as they are: we have checksums of our own, and not every
                        // server understands what the SDK would put around them.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        .serviceConfiguration(
                                s3 -> s3.chunkedEncodingEnabled(false).expectContinueEnabled(false))
                        .overrideConfiguration(
                                client ->
                                        client.retryStrategy(AwsRetryStrategy.doNotRetry())
                                                .apiCallTimeout(attempt));
        more.accept(builder);
        return builder.build();
    }

    @Override
    public void close() {
        commits.close();
        data.close();
    }
}
