package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog that takes every request and answers none. */
class HangingCatalogIT {
    /** The last fold is waited for 20 seconds; a busy machine takes its time as well. */
    private static final Duration MOST = Duration.ofSeconds(50);

    @TempDir private Path folder;

    @Test
    void anIngestEndsAllTheSameWithAllThatItPublished() throws IOException {
        Cli cli = new Cli(folder.resolve("warehouse"));
        cli.create("t.x", "dp=2,cp=2");
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        Instant start = Instant.now();
        Ran ran;
        // The system takes the connections into its queue, and nobody takes them from there.
        try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String uri = "uri=http://127.0.0.1:" + deaf.getLocalPort();
            ran =
                    cli.run(
                            corpus.ingest(
                                    "t.x",
                                    "p0",
                                    "--fold-every",
                                    "1",
                                    "-P",
                                    "type=rest",
                                    "-P",
                                    uri));
        }

        assertThat(Duration.between(start, Instant.now())).isLessThan(MOST);
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("Published ");
        assertThat(ran.err())
                .isEqualTo(
                        "batchweave: The view lags, and all is published: the last fold has not"
                                + " ended in time; fold once more to bring it up to date\n");
        assertThat(cli.steps("t.x")).isGreaterThan(2);
        cli.verifyIsClean("t.x");
        assertThat(cli.run("fold", "t.x", "--json").succeeded().json().get(0).get("steps").asLong())
                .isEqualTo(cli.steps("t.x"));
    }
}
