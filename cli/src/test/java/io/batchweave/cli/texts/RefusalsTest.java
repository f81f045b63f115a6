package io.batchweave.cli.texts;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.inputs.Texts;
import io.batchweave.cli.tokens.Cuts;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be ingested is refused with its place, never dropped or mended in silence. */
class RefusalsTest {
    @TempDir Path folder;

    @Test
    void inputsWithoutADocumentAreRefused() {
        write("a.txt", "");
        write("b.jsonl", "\n \n");

        assertRefused("there is no document in them", "t");
    }

    @Test
    void recordsWithoutFieldsNamedAreRefusedWithTheFieldsThereAre() {
        write("a.jsonl", "\uFEFF\n{\"id\": 1, \"text\": \"x\", \"meta\": {\"lang\": \"en\"}}\n");

        assertRefused(
                "a.jsonl without --field: name the fields that hold the text; its first record has id, text, meta");
    }

    @Test
    void fieldsWithoutRecordsAreRefused() {
        write("a.txt", "text");

        assertRefused("by --field t,u: no input ends in .jsonl", "t", "u");
    }

    @Test
    void brokenRecordsAreRefusedWithTheirLine() {
        assertRecordRefused("{\"t\":\"x\"", "it is broken JSON (Unexpected end-of-input");
        assertRecordRefused("{\"t\":\"x}", "it is broken JSON (Unexpected end-of-input");
        assertRecordRefused("{\"t\":x}", "it is broken JSON (Unrecognized token 'x'");
        assertRecordRefused("{\"t\":\"a\tb\"}", "it is broken JSON (Illegal unquoted character");
        assertRecordRefused(
                "{\"t\":\"x\",\"u\":NaN}", "it is broken JSON (Non-standard token 'NaN'");
        assertRecordRefused("[".repeat(2000), "it is no JSON object");
        assertRecordRefused(
                "{\"u\":" + "[".repeat(2000), "it is broken JSON (Document nesting depth");
        assertRecordRefused("[\"x\"]", "it is no JSON object");
        assertRecordRefused("\"x\"", "it is no JSON object");
        assertRecordRefused("{\"t\":\"x\"} {\"t\":\"y\"}", "more follows its object");
    }

    @Test
    void recordsWithoutTheTextAreRefusedWithTheirLine() {
        assertRecordRefused("{\"u\":\"x\",\"v\":1}", "it has no field 't' but u, v;");
        assertRecordRefused("{\"t\":7}", "its field 't' is no text but NUMBER_INT");
        assertRecordRefused("{\"t\":null}", "its field 't' is no text but NULL");
        assertRecordRefused("{\"t\":[\"x\"]}", "its field 't' is no text but ARRAY");
        assertRecordRefused("{\"t\":\"x\",\"t\":\"y\"}", "it has the field 't' twice");
        assertRecordRefused("{\"t\":\"x\\ud83d\"}", "half of a surrogate pair");
        assertRecordRefused("{\"t\":\"\\ude00x\"}", "half of a surrogate pair");
    }

    @Test
    void brokenUtf8IsRefusedWithItsPlace() throws IOException {
        Files.write(folder.resolve("a.txt"), new byte[] {'a', '\n', 'b', (byte) 0xC3, '('});
        assertRefused("a.txt line 2: the byte at offset 3 is not valid UTF-8");

        Files.write(folder.resolve("a.txt"), new byte[] {'a', (byte) 0xE2, (byte) 0x82});
        assertRefused("a.txt line 1: the byte at offset 1 is not valid UTF-8");

        Files.delete(folder.resolve("a.txt"));
        Files.write(folder.resolve("a.jsonl"), new byte[] {'\n', '{', '"', (byte) 0xFF, '\n', '{'});
        assertRefused("a.jsonl line 2: the byte at offset 3 is not valid UTF-8", "t");
    }

    @Test
    void aPlaceFarIntoATextIsFound() throws IOException {
        write("a.txt", "some words\n".repeat(100_000) + "x");
        Files.write(folder.resolve("a.txt"), new byte[] {(byte) 0x80}, StandardOpenOption.APPEND);

        assertRefused("a.txt line 100001: the byte at offset 1100001 is not valid UTF-8");
    }

    @Test
    void textWithoutAnEndOfAWordIsRefusedWithItsPlace() {
        write("a.txt", "words " + "x".repeat(3 * Cuts.UNCUT_CHARS_MAX));
        assertRefused(
                "Cannot tokenize "
                        + folder
                        + "/a.txt: from byte 5 on, 262144 characters hold no end of a word or number");

        write("a.txt", " ".repeat(Cuts.UNCUT_CHARS_MAX + 1));
        assertRefused("from byte 0 on, 262144 characters hold no end");
    }

    @Test
    void recordsWithoutAnEndOfAWordAreRefusedWithTheirPlace() {
        write("a.jsonl", "\n{\"t\":\"words " + "x".repeat(2 * Cuts.UNCUT_CHARS_MAX) + "\"}");

        assertRefused(
                "a.jsonl line 2: from character 5 of its text on, 262144 hold no end of a word",
                "t");
    }

    @Test
    void recordsOfMoreThan16MebibytesAreRefused() {
        write("a.jsonl", "{\"t\":\"x\"}\n{\"t\":\"" + "words ".repeat(3_000_000) + "\"}\n");

        assertRefused("a.jsonl line 2: it is longer than 16777216 bytes", "t");
    }

    @Test
    void aTextWhoseLengthChangesWhileItIsReadIsRefused() {
        for (int times : new int[] {0, 150_000, 200_001, 900_000}) {
            write("a.txt", "words ".repeat(200_000));

            assertThatThrownBy(
                            () -> {
                                try (TokenSource source = start()) {
                                    write("a.txt", "words ".repeat(times));
                                    Ingested.by(source, 1);
                                }
                            })
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("it had 1200000 bytes when it was opened");
        }
    }

    @Test
    void slicesThatMakeNoSenseAreRefused() {
        assertInvalid(0, 1);
        assertInvalid(1, 0);
        assertInvalid(1 << 20, 1 << 20);
        assertInvalid(8, 8, "a", "a");
        assertInvalid(8, 8, "");
    }

    private static void assertInvalid(int seqLen, int rows, String... fields) {
        assertThatThrownBy(() -> new IngestSettings("cl100k_base", seqLen, rows, List.of(fields)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid ");
    }

    private void assertRecordRefused(String record, String why) {
        write("a.jsonl", "\n{\"t\":\"good\"}\n" + record + "\n");
        assertRefused("a.jsonl line 3: " + why, "t");
    }

    private void assertRefused(String why, String... fields) {
        assertThatThrownBy(() -> Ingested.by(start(fields), 1))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot ")
                .hasMessageContaining(why)
                .message()
                .doesNotContain("\n");
    }

    private TokenSource start(String... fields) {
        return InputUnits.start(
                Local.inputs(List.of(folder.toString())),
                new IngestSettings("cl100k_base", 1024, 4, List.of(fields)));
    }

    private void write(String name, String text) {
        Texts.write(folder.resolve(name), text);
    }
}
