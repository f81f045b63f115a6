package io.batchweave.cli.texts;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Local;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a name says of what is in it. */
class InputKindTest {
    @ParameterizedTest
    @CsvSource({
        "a.jsonl,JSONL",
        "b.NDJSON,JSONL",
        "c.txt,TEXT",
        "d.json,TEXT",
        "e,TEXT",
        "f.Jsonl.gz,JSONL"
    })
    void theKindIsInTheEnding(String name, InputKind kind) {
        assertThat(InputKind.of(new Input(Local.LOCATIONS.at(name), name))).isEqualTo(kind);
    }
}
