package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.s3.S3Access;
import io.batchweave.s3.S3Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mistakes about a warehouse on a real S3 server that checks signatures: one line each, within
 * seconds, and an exit code that tells what can be mended from what passes.
 */
@Timeout(120)
class WarehouseMistakesIT {
    private static final String WAREHOUSE = "s3://" + S3Proxy.BUCKET + "/warehouse";
    private static final Duration SECONDS = Duration.ofSeconds(30);

    @TempDir private static Path folder;
    private static S3Proxy server;
    private static S3Access right;

    @BeforeAll
    static void start() {
        server = S3Proxy.start(folder);
        right = server.access();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String refused(AwsSettings settings, int code, String... arguments) {
        try (settings) {
            long begun = System.nanoTime();
            String line = Cli.runAlone(arguments).refused(code);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SECONDS);
            return line;
        }
    }

    private static void assertRefused(
            URI endpoint, String key, String secret, String warehouse, int code, String why) {
        for (String command : new String[] {"status", "seal"}) {
            String[] arguments = Cli.at(warehouse, command, "t.x");
            assertThat(refused(AwsSettings.of(endpoint, key, secret), code, arguments))
                    .contains(why)
                    .doesNotContain("wrong-secret", right.secretKey());
        }
        assertThat(refused(AwsSettings.of(endpoint, key, secret), code, "probe", warehouse))
                .contains(why)
                .doesNotContain("wrong-secret", right.secretKey());
    }

    @Test
    void wrongCredentialsAreToBeMended() {
        assertRefused(
                right.endpoint(),
                right.accessKey(),
                "wrong-secret",
                WAREHOUSE,
                2,
                "the secret key does not fit the access key; check AWS_SECRET_ACCESS_KEY");
        assertRefused(
                right.endpoint(),
                "somebody",
                "wrong-secret",
                WAREHOUSE,
                2,
                "does not know the access key; check AWS_ACCESS_KEY_ID");
    }

    @Test
    void aBucketThatIsMissingIsToBeMade() {
        assertRefused(
                right.endpoint(),
                right.accessKey(),
                right.secretKey(),
                "s3://missing/warehouse",
                2,
                "there is no such bucket; create it");
    }

    @Test
    void aPlainServerIsNotAskedByTls() {
        assertRefused(
                URI.create(right.endpoint().toString().replace("http:", "https:")),
                right.accessKey(),
                right.secretKey(),
                WAREHOUSE,
                2,
                "the server does not speak TLS; write AWS_ENDPOINT_URL_S3 with http://");
    }

    @Test
    void aServerThatIsNotThereMayComeLater() {
        assertRefused(
                URI.create("http://127.0.0.1:1"),
                right.accessKey(),
                right.secretKey(),
                WAREHOUSE,
                3,
                "no server could be reached; check that it runs, and AWS_ENDPOINT_URL_S3");
    }
}
