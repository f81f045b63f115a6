package io.batchweave.bench.commits;

import io.batchweave.store.Requests;

/**
 * What some commits took.
 *
 * @param requests of all writers together
 * @param nanos from the first commit's start to the last one's end
 */
record Measured(long commits, Requests requests, long nanos) {
    double requestsPerCommit() {
        return (double) requests.total() / commits;
    }

    /** Both ways. */
    double kibPerCommit() {
        return (requests.bytesUp() + requests.bytesDown()) / 1024.0 / commits;
    }

    double commitsPerSecond() {
        return commits * 1e9 / nanos;
    }
}
