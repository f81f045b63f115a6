package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.List;

/** A command that has ended: its exit code, and what it printed. */
record Ran(int code, String out, String err) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Fails if it did not succeed, or complained. */
    Ran succeeded() {
        assertThat(this).isEqualTo(new Ran(0, out, ""));
        return this;
    }

    /** Fails if it was not refused by one line on standard error; returns that line. */
    String refused(int expectedCode) {
        assertThat(code).as("%s", this).isEqualTo(expectedCode);
        assertThat(err)
                .as("one line")
                .startsWith("batchweave: ")
                .endsWith("\n")
                .satisfies(text -> assertThat(text.indexOf('\n')).isEqualTo(text.length() - 1))
                .doesNotContain("\tat ", "Exception");
        return err.strip();
    }

    /** The objects that were printed, one a line. */
    List<JsonNode> json() {
        return out.lines().map(Ran::parse).toList();
    }

    private static JsonNode parse(String line) {
        try {
            JsonNode object = JSON.readTree(line);
            assertThat(object.isObject()).as(line).isTrue();
            return object;
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(line, e);
        }
    }
}
