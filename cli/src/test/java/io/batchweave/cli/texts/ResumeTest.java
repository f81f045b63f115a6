package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.inputs.Nasty;
import io.batchweave.cli.inputs.Scratch;
import io.batchweave.cli.inputs.Texts;
import io.batchweave.cli.tokens.Cuts;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.Tally;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.cli.tokens.Tokenizer;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ingest goes on behind its last committed batch, or says why it cannot. */
class ResumeTest {
    private static final IngestSettings SETTINGS =
            new IngestSettings("cl100k_base", 4, 2, List.of("t"));

    @TempDir Path folder;

    @BeforeEach
    void writeThreeInputs() {
        Texts.write(at("a.jsonl"), "{\"t\":\"one two three\"}\n{\"t\":\"four five six more\"}\n");
        Texts.write(at("b.txt"), "seven eight nine ten eleven twelve thirteen fourteen fifteen");
        Texts.write(at("c.jsonl"), "{\"t\":\"sixteen\"}\n{\"t\":\"seventeen eighteen\"}\n");
    }

    @Property(tries = 150)
    void everyRestartGivesTheSameBatches(
            @ForAll @Size(min = 1, max = 6) List<@From("texts") String> documents,
            @ForAll @IntRange(min = 1, max = 7) int seqLen,
            @ForAll @IntRange(min = 1, max = 2) int rowsPerSlice,
            @ForAll @IntRange(min = 1, max = 3) int slices)
            throws IOException {
        try (Scratch scratch = new Scratch()) {
            scratch.writeEach(documents);
            IngestSettings settings =
                    new IngestSettings("cl100k_base", seqLen, rowsPerSlice, List.of("text"));
            Ingested whole = Ingested.by(InputUnits.start(scratch.inputs(), settings), slices);

            for (int done = 1; done <= whole.batches().size(); done++) {
                Bytes progress = whole.batches().get(done - 1).progress();
                TokenSource resumed = InputUnits.resume(scratch.inputs(), settings, progress);

                Ingested rest = Ingested.by(resumed, slices);

                assertThat(rest.batches())
                        .isEqualTo(whole.batches().subList(done, whole.batches().size()));
                assertThat(rest.end()).isEqualTo(whole.end());
            }
        }
    }

    /** Restarts within records and texts that are read and tokenized in several stretches. */
    @Test
    void restartsWithinLongDocumentsGiveTheSameBatches() {
        String text = Nasty.text(2, 3 * Cuts.UNCUT_CHARS_MAX);
        Texts.write(at("a.jsonl"), "\n" + Texts.json("t", text) + "\n" + Texts.json("t", "x"));
        Texts.write(at("b.txt"), text);
        IngestSettings settings = new IngestSettings("cl100k_base", 4096, 16, List.of("t"));
        Ingested whole = Ingested.by(InputUnits.start(inputs(), settings), 1);
        assertThat(whole.batches()).hasSizeGreaterThan(10);

        for (int done = 1; done <= whole.batches().size(); done++) {
            Bytes progress = whole.batches().get(done - 1).progress();

            Ingested rest = Ingested.by(InputUnits.resume(inputs(), settings, progress), 1);

            assertThat(rest.batches().equals(whole.batches().subList(done, whole.batches().size())))
                    .as("after %d batches", done)
                    .isTrue();
        }
    }

    @Test
    void anotherRunWithTheSameInputsHasNothingToDo() {
        Bytes end = Ingested.by(InputUnits.start(inputs(), SETTINGS), 1).end();

        Ingested again = Ingested.by(InputUnits.resume(inputs(), SETTINGS, end), 1);

        assertThat(again.batches()).isEmpty();
        assertThat(again.end()).isEqualTo(end);
    }

    @Test
    void laterInputsExtendAFinishedIngest() {
        Bytes end = Ingested.by(InputUnits.start(inputs(), SETTINGS), 1).end();
        Texts.write(at("d.jsonl"), "{\"t\":\"nineteen\"}\n");
        Texts.write(at("e.txt"), "twenty");

        Ingested more = Ingested.by(InputUnits.resume(inputs(), SETTINGS, end), 1);

        assertThat(more.tally()).isEqualTo(tallyOf("nineteen", "twenty"));
    }

    @Test
    void recordsAddedToTheLastFileExtendAnIngest() {
        Texts.write(at("c.jsonl"), "{\"t\":\"sixteen\"}");
        Bytes end = Ingested.by(InputUnits.start(inputs(), SETTINGS), 1).end();
        Texts.append(at("c.jsonl"), "\n\n{\"t\":\"seventeen\"}\n");

        Ingested more = Ingested.by(InputUnits.resume(inputs(), SETTINGS, end), 1);

        assertThat(more.tally()).isEqualTo(tallyOf("seventeen"));
    }

    @Test
    void recordsMayBeAddedWhileTheirFileIsRead() {
        Bytes progress = firstProgressIn("a.jsonl", 0);
        Texts.append(at("a.jsonl"), "{\"t\":\"more\"}\n");

        Ingested rest = Ingested.by(InputUnits.resume(only("a.jsonl"), SETTINGS, progress), 1);

        long separatorBefore = 1;
        assertThat(rest.tally())
                .isEqualTo(new Tally(1, separatorBefore + tallyOf("more").tokens()));
    }

    @Test
    void fieldsMayComeWithTheFirstRecords() {
        IngestSettings textOnly = new IngestSettings("cl100k_base", 4, 2, List.of());
        Bytes end = Ingested.by(InputUnits.start(only("b.txt"), textOnly), 1).end();

        Inputs both = Local.inputs(List.of(at("b.txt").toString(), at("c.jsonl").toString()));
        Ingested more = Ingested.by(InputUnits.resume(both, SETTINGS, end), 1);

        assertThat(more.tally()).isEqualTo(tallyOf("sixteen", "seventeen eighteen"));
    }

    @Test
    void anotherFolderWithTheSameFilesWillDo() throws IOException {
        Bytes progress = firstProgressIn("b.txt", 1);
        Path moved = folder.resolveSibling(folder.getFileName() + "-moved");
        Files.move(folder, moved);

        Inputs inputs = Local.inputs(List.of(moved + "/*"));
        Ingested rest = Ingested.by(InputUnits.resume(inputs, SETTINGS, progress), 1);

        assertThat(rest.batches()).isNotEmpty();
        Files.move(moved, folder);
    }

    @Test
    void aMissingInputIsRefused() {
        Bytes progress = firstProgressIn("c.jsonl", 2);
        Texts.delete(at("c.jsonl"));

        assertRefused(progress, SETTINGS, "c.jsonl (input 2)", "there are only 2 inputs");
    }

    @Test
    void aMissingEarlierInputIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);
        Texts.delete(at("a.jsonl"));

        assertRefused(
                progress,
                SETTINGS,
                "b.txt (input 1)",
                "from 1 input of 49 bytes",
                "to 1 input of 60 bytes");
    }

    @Test
    void aNewEarlierInputIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);
        Texts.write(at("a.txt"), "new");

        assertRefused(progress, SETTINGS, "b.txt (input 1)", "that input is a.txt");
    }

    @Test
    void anEarlierInputOfAnotherLengthIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);
        Texts.append(at("a.jsonl"), "{\"t\":\"more\"}\n");

        assertRefused(
                progress,
                SETTINGS,
                "b.txt (input 1)",
                "1 input of 49 bytes",
                "1 input of 62 bytes");
    }

    @Test
    void earlierInputsThatExchangedTheirLengthsAreRefused() {
        Bytes progress = firstProgressIn("c.jsonl", 2);
        String a = Texts.read(at("a.jsonl"));
        Texts.write(at("a.jsonl"), Texts.read(at("b.txt")));
        Texts.write(at("b.txt"), a);

        assertRefused(progress, SETTINGS, "c.jsonl (input 2)", "names or lengths");
    }

    @Test
    void aShorterInputIsRefused() {
        Bytes progress = firstProgressIn("c.jsonl", 2);
        Texts.write(at("c.jsonl"), "{\"t\":\"sixteen\"}\n");

        assertRefused(
                progress,
                SETTINGS,
                "c.jsonl (input 2), byte 16 and ",
                "up to byte 43 of 43",
                "ends at byte 16");
    }

    @Test
    void aLongerTextIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);
        Texts.append(at("b.txt"), " more");

        assertRefused(
                progress, SETTINGS, "b.txt (input 1), byte 0 and ", "of 60", "ends at byte 65");
    }

    @Test
    void aChangedInputIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);
        Texts.write(at("b.txt"), "seven eight NINE ten eleven twelve thirteen fourteen fifteen");

        assertRefused(
                progress,
                SETTINGS,
                "b.txt (input 1), byte 0 and ",
                "its first 60 bytes have changed from digest ");
    }

    @Test
    void aChangedRecordIsRefusedThoughPartOfItIsAlreadyIn() {
        Bytes progress = firstProgressIn("a.jsonl", 0);
        Texts.write(at("a.jsonl"), "{\"t\":\"one two three\"}\n{\"t\":\"FOUR five six more\"}\n");

        assertRefused(
                progress,
                SETTINGS,
                "a.jsonl (input 0), byte 22 and 4 tokens",
                "its first 49 bytes have changed");
    }

    @Test
    void aChangeBehindThePositionIsNotSeen() {
        Bytes progress = firstProgressIn("a.jsonl", 0);
        Texts.write(at("c.jsonl"), "{\"t\":\"other\"}\n");

        assertThat(Ingested.by(InputUnits.resume(inputs(), SETTINGS, progress), 1).batches())
                .isNotEmpty();
    }

    @Test
    void anotherSettingIsRefused() {
        Bytes progress = firstProgressIn("b.txt", 1);

        assertRefused(
                progress,
                new IngestSettings("o200k_base", 4, 2, List.of("t")),
                "--tokenizer was cl100k_base",
                "is o200k_base now");
        assertRefused(
                progress,
                new IngestSettings("cl100k_base", 8, 2, List.of("t")),
                "--seq-len was 4",
                "is 8 now");
        assertRefused(
                progress,
                new IngestSettings("cl100k_base", 4, 1, List.of("t")),
                "--rows-per-slice was 2",
                "is 1 now");
        assertRefused(
                progress,
                new IngestSettings("cl100k_base", 4, 2, List.of("u")),
                "--field was [t]",
                "is [u] now");
    }

    @Test
    void tokensThatAreNotThereAreRefused() {
        IngestProgress real = IngestProgress.decode(firstProgressIn("b.txt", 1));
        Position p = real.position();
        Position beyond =
                new Position(p.finished(), p.name(), p.size(), p.start(), p.end(), 999, p.digest());

        assertRefused(
                new IngestProgress(SETTINGS, beyond).encode(),
                SETTINGS,
                "999 tokens",
                "are not there");
    }

    @Test
    void progressIsSmallHoweverManyInputsThereAre() {
        for (int input = 0; input < 1_000; input++) {
            Texts.write(at("many/%04d.txt".formatted(input)), "text " + input);
        }
        Inputs many = Local.inputs(List.of(at("many").toString()));

        Ingested ingested =
                Ingested.by(
                        InputUnits.start(many, new IngestSettings("cl100k_base", 4, 2, List.of())),
                        1);

        assertThat(ingested.batches())
                .allSatisfy(batch -> assertThat(batch.progress().length()).isLessThan(450));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(Nasty.CHARACTERS)
                .list()
                .ofMinSize(1)
                .ofMaxSize(20)
                .map(parts -> String.join("", parts));
    }

    private void assertRefused(Bytes progress, IngestSettings settings, String... why) {
        assertThatThrownBy(() -> InputUnits.resume(inputs(), settings, progress))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot resume ")
                .hasMessageContainingAll(why);
    }

    /** The progress of the first batch that ends within the input of this name. */
    private Bytes firstProgressIn(String name, int finished) {
        Bytes progress =
                Ingested.by(InputUnits.start(inputs(), SETTINGS), 1).batches().stream()
                        .map(Ingested.Batch::progress)
                        .filter(each -> new String(each.toArray(), UTF_8).contains(name))
                        .findFirst()
                        .orElseThrow();
        assertThat(IngestProgress.decode(progress).position().finished().inputs())
                .isEqualTo(finished);
        return progress;
    }

    private static Tally tallyOf(String... documents) {
        Tokenizer tokenizer = Tokenizer.named("cl100k_base");
        int tokens =
                IntStream.range(0, documents.length)
                        .map(i -> tokenizer.encode(documents[i]).length + 1)
                        .sum();
        return new Tally(documents.length, tokens);
    }

    private Inputs inputs() {
        return Local.inputs(List.of(folder.toString()));
    }

    private Inputs only(String name) {
        return Local.inputs(List.of(at(name).toString()));
    }

    private Path at(String name) {
        return folder.resolve(name);
    }
}
