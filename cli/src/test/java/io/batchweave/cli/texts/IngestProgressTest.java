package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Finished;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnsupportedFeatureException;
import io.batchweave.model.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IngestProgressTest {
    private static final String JSON =
            "{\"format\":1,"
                    + "\"settings\":{\"tokenizer\":\"cl100k_base\",\"seq_len\":2048,"
                    + "\"rows_per_slice\":4,\"fields\":[\"question\",\"answer\"]},"
                    + "\"position\":{\"finished\":{\"inputs\":2,\"bytes\":70,\"digest\":\"ab\"},"
                    + "\"name\":\"ä/b.jsonl\",\"size\":9000,\"start\":100,\"end\":300,"
                    + "\"tokens\":7,\"digest\":\"cd\"}}";

    private static final IngestProgress PROGRESS =
            new IngestProgress(
                    new IngestSettings("cl100k_base", 2048, 4, List.of("question", "answer")),
                    new Position(new Finished(2, 70, "ab"), "ä/b.jsonl", 9000, 100, 300, 7, "cd"));

    /** Producers have committed these bytes: they must be readable for ever. */
    @Test
    void itsBytesAreFixed() {
        assertThat(new String(PROGRESS.encode().toArray(), UTF_8)).isEqualTo(JSON);
        assertThat(IngestProgress.decode(bytes(JSON))).isEqualTo(PROGRESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "null",
                "7",
                "no JSON",
                "{\"format\":1}",
                "{\"format\":1,\"settings\":null,\"position\":null}"
            })
    void whatIsNoProgressIsCorrupt(String text) {
        assertThatThrownBy(() -> IngestProgress.decode(bytes(text)))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("is not that of an ingest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"start\":400",
                "\"start\":-1",
                "\"start\":\"\"",
                "\"start\":null",
                "\"begin\":1",
            })
    void positionsThatMakeNoSenseAreCorrupt(String start) {
        assertThatThrownBy(() -> IngestProgress.decode(bytes(JSON.replace("\"start\":100", start))))
                .isInstanceOf(CorruptException.class);
    }

    @Test
    void whatALaterReleaseWroteIsUnsupported() {
        assertThatThrownBy(
                        () ->
                                IngestProgress.decode(
                                        bytes("{\"format\":2,\"settings\":{},\"more\":1}")))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("format 2");
    }

    private static Bytes bytes(String text) {
        return Bytes.copyOf(text.getBytes(UTF_8));
    }
}
