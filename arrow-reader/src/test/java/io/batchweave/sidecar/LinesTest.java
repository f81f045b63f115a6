package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long the lines of a client may be. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinesTest {
    @TempDir private Path folder;
    private ServedNumbers served;

    @BeforeEach
    void serve() {
        served = new ServedNumbers(folder, 1 << 20);
    }

    @AfterEach
    void end() throws InterruptedException {
        served.close();
    }

    private static String line(int bytes) {
        String begin = "{'do':'health','more':'";
        return begin + "x".repeat(bytes - begin.length() - 2) + "'}";
    }

    @Test
    void aLineThatIsTooLongIsAnsweredAndEndsTheConnection() {
        try (TrainerProcess trainer = TrainerProcess.known(served.socket())) {
            assertThat(trainer.ask(line(Lines.BYTES_MAX)).has("ok")).isTrue();
            assertThat(TrainerProcess.error(trainer.ask(line(Lines.BYTES_MAX + 1))))
                    .contains(
                            "invalid: Cannot read a request: a line has at most 1048576 bytes, and"
                                    + " this has more; the connection ends");
            assertThat(trainer.isGone()).isTrue();
        }
    }
}
