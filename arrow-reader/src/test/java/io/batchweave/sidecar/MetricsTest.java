package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus is told. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MetricsTest {
    @TempDir private Path folder;

    @Test
    void everyReaderIsToldApartEvenAtOnePlace() throws Exception {
        try (ServedNumbers served = new ServedNumbers(folder, 1 << 20).publish(3);
                TrainerProcess first = served.trainer("'mesh':'dp=0/2'");
                TrainerProcess second = served.trainer("'mesh':'dp=0/2','job':'llm'")) {
            first.next();
            first.next();
            second.next();
            String told = scraped(served.sidecar().metricsPort().orElseThrow());
            assertThat(told)
                    .contains(
                            "batchweave_reader_next_step{dataset=\"train.numbers\",job=\"\",mesh=\"dp=0/2\",reader=\"1\"} 2.0",
                            "batchweave_reader_steps_total{dataset=\"train.numbers\",job=\"llm\",mesh=\"dp=0/2\",reader=\"2\"} 1.0",
                            "# HELP batchweave_reader_wait_seconds_total What the trainer waited for its steps",
                            "batchweave_reader_bytes_total{",
                            "batchweave_reader_fetch_seconds{",
                            "batchweave_arena_bytes ",
                            "batchweave_store_requests_total{dataset=\"train.numbers\",warehouse=\"file:");
        }
    }

    private static String scraped(int port) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + "/metrics");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
