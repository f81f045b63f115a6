package io.batchweave.cli.texts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.inputs.Nasty;
import io.batchweave.cli.inputs.Scratch;
import io.batchweave.cli.inputs.Texts;
import io.batchweave.cli.texts.Ingested.Row;
import io.batchweave.cli.tokens.Cuts;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.Tally;
import io.batchweave.cli.tokens.Tokenizer;
import io.batchweave.testing.TestData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows hold the tokens of all documents, each once and in order. */
class RowsTest {
    private static final Tokenizer CL100K = Tokenizer.named("cl100k_base");
    private static final int PADDING = 100257;

    @TempDir Path folder;

    static List<String> tokenizers() {
        return Tokenizer.names();
    }

    @Property(tries = 300)
    void rowsAreTheDocumentsEndToEnd(
            @ForAll @Size(min = 1, max = 6) List<@From("texts") String> documents,
            @ForAll @IntRange(min = 1, max = 9) int seqLen,
            @ForAll @IntRange(min = 1, max = 3) int rowsPerSlice,
            @ForAll @IntRange(min = 1, max = 3) int slices)
            throws IOException {
        try (Scratch scratch = new Scratch()) {
            scratch.writeEach(documents);
            IngestSettings settings = settings(seqLen, rowsPerSlice, "text");

            Ingested ingested = Ingested.by(InputUnits.start(scratch.inputs(), settings), slices);

            assertHolds(ingested, CL100K, documents);
            assertThat(ingested.batches())
                    .allSatisfy(batch -> assertThat(batch.rows()).hasSize(rowsPerSlice * slices));
        }
    }

    @Test
    void theLastBatchIsPaddedAndNoRowBefore() {
        Texts.write(folder.resolve("a.txt"), "one two three");

        Ingested ingested = ingest(settings(3, 2), 2, folder);

        int[] t = CL100K.encode("one two three");
        assertThat(ingested.batches()).hasSize(1);
        assertThat(ingested.rows())
                .containsExactly(
                        new Row(List.of(t[0], t[1], t[2]), 3, List.of(0)),
                        new Row(List.of(PADDING, PADDING, PADDING), 1, List.of()),
                        new Row(List.of(PADDING, PADDING, PADDING), 0, List.of()),
                        new Row(List.of(PADDING, PADDING, PADDING), 0, List.of()));
        assertThat(ingested.tally()).isEqualTo(new Tally(1, 4));
        assertThat(ingested.tally().counts().toString())
                .isEqualTo("[Count[name=documents, value=1], Count[name=tokens, value=4]]");
    }

    @Test
    void anInputThatFillsItsRowsHasNoEmptyBatchBehindThem() {
        Texts.write(folder.resolve("a.txt"), "one two three");

        Ingested ingested = ingest(settings(2, 2), 1, folder);

        assertThat(ingested.batches()).hasSize(1);
        assertThat(ingested.rows()).extracting(Row::valid).containsExactly(2, 2);
    }

    @Test
    void aDocumentThatGoesOnDoesNotBeginAgain() {
        Texts.write(folder.resolve("a.jsonl"), "{\"t\":\"one two three\"}\n{\"t\":\"four\"}\n");

        Ingested ingested = ingest(settings(3, 1, "t"), 1, folder);

        assertThat(ingested.rows())
                .extracting(Row::docStarts)
                .containsExactly(List.of(0), List.of(1));
        assertThat(ingested.rows()).extracting(Row::valid).containsExactly(3, 3);
    }

    @Test
    void fieldsAreJoinedInTheOrderChosen() {
        String record = Texts.json("answer", "4", "id", "x", "question", "2 + 2?") + "\r\n";
        Texts.write(folder.resolve("a.jsonl"), record);

        Ingested ingested = ingest(settings(64, 1, "question", "answer"), 1, folder);

        assertHolds(ingested, CL100K, List.of("2 + 2?\n4"));
    }

    @Test
    void whatHoldsNoTextIsNoDocument() {
        Texts.write(folder.resolve("a.jsonl"), "\uFEFF\n  \t\r\n{\"t\":\"\"}\n\n{\"t\":\"x\"}");
        Texts.write(folder.resolve("b.txt"), "");
        Texts.write(folder.resolve("c.txt"), "\uFEFF");
        Texts.write(folder.resolve("d.txt"), "\uFEFFy");
        Texts.write(folder.resolve("e.jsonl"), "\n\n");

        Ingested ingested = ingest(settings(8, 1, "t"), 1, folder);

        assertHolds(ingested, CL100K, List.of("x", "y"));
    }

    @Test
    void emptyFieldsAreStillFields() {
        Texts.write(folder.resolve("a.jsonl"), Texts.json("a", "", "b", "x"));

        assertHolds(ingest(settings(8, 1, "a", "b"), 1, folder), CL100K, List.of("\nx"));
    }

    /** Long enough to be read, cut and tokenized in several stretches. */
    @ParameterizedTest
    @MethodSource("tokenizers")
    void longDocumentsHaveTheTokensOfTheWhole(String name) {
        List<String> documents =
                List.of(
                        Nasty.text(1, 3 * Cuts.UNCUT_CHARS_MAX),
                        "short",
                        "word and 字 ".repeat(Cuts.UNCUT_CHARS_MAX / 5));
        Texts.write(folder.resolve("a.txt"), documents.get(0));
        String records =
                Texts.json("t", documents.get(1)) + "\n" + Texts.json("t", documents.get(2));
        Texts.write(folder.resolve("b.jsonl"), records);

        IngestSettings settings = new IngestSettings(name, 1000, 4, List.of("t"));
        Ingested ingested = ingest(settings, 2, folder);

        assertHolds(ingested, Tokenizer.named(name), documents);
    }

    @Test
    void aStretchMayEndAnywhereInACharactersBytes() {
        for (int shift = 0; shift < 8; shift++) {
            String text = "x".repeat(shift) + " 字é😀 ab".repeat(Cuts.UNCUT_CHARS_MAX / 4);
            Texts.write(folder.resolve("a.txt"), text);

            assertHolds(ingest(settings(4096, 8), 1, folder), CL100K, List.of(text));
        }
    }

    @Test
    void realRecordsHaveTheTokensOfTheWhole() throws IOException {
        Path file = TestData.at("text/gsm8k-test.jsonl", "it is ingested as real text");
        ObjectMapper mapper = new ObjectMapper();
        List<String> documents = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode record = mapper.readTree(line);
            documents.add(record.get("question").asText() + "\n" + record.get("answer").asText());
        }

        Ingested ingested = ingest(settings(2048, 4, "question", "answer"), 4, file);

        assertHolds(ingested, CL100K, documents);
        assertThat(ingested.tally().documents()).isEqualTo(1319);
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(Nasty.CHARACTERS)
                .list()
                .ofMinSize(1)
                .ofMaxSize(30)
                .map(parts -> String.join("", parts));
    }

    private static void assertHolds(
            Ingested ingested, Tokenizer tokenizer, List<String> documents) {
        IntStream.Builder tokens = IntStream.builder();
        List<Long> starts = new ArrayList<>();
        long count = 0;
        for (String document : documents) {
            starts.add(count);
            int[] encoded = tokenizer.encode(document);
            IntStream.of(encoded).forEach(tokens::add);
            tokens.add(tokenizer.separator());
            count += encoded.length + 1;
        }
        assertThat(ingested.tokens()).isEqualTo(tokens.build().toArray());
        assertThat(ingested.docStarts()).isEqualTo(starts);
        assertThat(ingested.tally()).isEqualTo(new Tally(documents.size(), count));
        assertOnlyTheEndIsPadded(ingested, tokenizer.separator());
    }

    private static void assertOnlyTheEndIsPadded(Ingested ingested, int padding) {
        boolean ended = false;
        for (Row row : ingested.rows()) {
            assertThat(!ended || row.valid() == 0).isTrue();
            ended |= row.valid() < row.tokens().size();
            assertThat(row.tokens().subList(row.valid(), row.tokens().size()))
                    .allMatch(t -> t == padding);
        }
    }

    private static Ingested ingest(IngestSettings settings, int slices, Path... inputs) {
        List<String> names = Stream.of(inputs).map(Path::toString).toList();
        return Ingested.by(InputUnits.start(Local.inputs(names), settings), slices);
    }

    private static IngestSettings settings(int seqLen, int rowsPerSlice, String... fields) {
        return new IngestSettings("cl100k_base", seqLen, rowsPerSlice, List.of(fields));
    }
}
