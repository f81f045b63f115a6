package io.batchweave.store.s3;

import java.time.Duration;

/**
 * What a store may take, and how long it may take it. Where the server is, its region and the
 * credentials are the AWS SDK's own settings, found as every AWS tool finds them.
 *
 * @param addressing how a bucket is named in a request
 * @param connectionsMax to the server, for payload, listings and deletions
 * @param commitConnectionsMax connections that only creates and reads of whole objects use, so that
 *     payload does not keep commits waiting
 * @param connect most time to connect
 * @param silence most time without a byte before a connection counts as dropped
 * @param attempt most time of one request
 * @param patience how long a request that is not answered well is made again
 * @param partBytes an upload beyond this goes in parts of this size; the protocol asks for 5 MiB.
 *     An open upload takes as much memory as it has in its last part, at most this; while it grows,
 *     half as much again
 * @param partsInFlightMax parts under way at a time, of all uploads; each takes its bytes of
 *     memory. A writer that has filled another one waits
 */
public record S3Settings(
        Addressing addressing,
        int connectionsMax,
        int commitConnectionsMax,
        Duration connect,
        Duration silence,
        Duration attempt,
        Duration patience,
        int partBytes,
        int partsInFlightMax) {
    public static final S3Settings DEFAULT =
            new S3Settings(
                    Addressing.AUTOMATIC,
                    64,
                    16,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(60),
                    16 << 20,
                    4);

    /** How a bucket is named in a request. */
    public enum Addressing {
        /** As Amazon wants it; in the path where another endpoint is configured. */
        AUTOMATIC,
        /** In the path: {@code http://endpoint/bucket/key}. */
        PATH,
        /** In the name of the host: {@code http://bucket.endpoint/key}. */
        HOST
    }

    /** The same, with another way to name the bucket. */
    public S3Settings with(Addressing other) {
        return new S3Settings(
                other,
                connectionsMax,
                commitConnectionsMax,
                connect,
                silence,
                attempt,
                patience,
                partBytes,
                partsInFlightMax);
    }
}
