package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.Origin;
import io.batchweave.cli.inputs.Texts;
import io.batchweave.cli.rows.TextRows;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.CountingStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What folders and patterns find on a store. */
class StoredInputsTest {
    private static final List<String> NAMES =
            List.of(
                    "data/b.txt",
                    "data/a.txt",
                    "data/a-b.txt",
                    "data/Z.JSONL",
                    "data/a/z.md",
                    "data/a/b/c.txt",
                    "data/c.py",
                    "data/a1/x.ndjson",
                    "other/d.txt");

    @TempDir Path folder;
    private final CountingStore store = new CountingStore(new MemoryStore(World.real()));
    private final Locations locations = new Locations(uri -> store);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data",
                "data/",
                "data/a",
                "data/a.txt",
                "data/*",
                "data/*.txt",
                "data/a*",
                "*",
                "data/[ab].txt",
                "data/?.{txt,md}",
                "**/*.txt",
                "data/**",
                "**/b/*",
                "*/a",
                "**",
                "*/a.txt",
                "data/a/**/c.txt"
            })
    void aStoreGivesWhatADiskGivesInTheSameOrder(String argument) {
        write();

        assertThat(names("memory:///" + argument))
                .isEqualTo(names(folder + "/" + argument))
                .isEqualTo(names(folder.toUri() + argument));
    }

    @Test
    void allOfAStoreIsAFolderToo() {
        write();

        assertThat(names("memory:///")).isEqualTo(names(folder.toString())).hasSize(8);
        assertThat(names("memory://")).hasSize(8);
    }

    @Test
    void kindsOfPlacesAreMixed() {
        write();

        Inputs inputs =
                TextRows.inputs(
                        locations,
                        List.of(folder + "/data/a.txt", "memory:///data/a.txt", "memory:///other"));

        assertThat(IntStream.range(0, 3).mapToObj(each -> inputs.file(each).toString()))
                .containsExactly(
                        folder + "/data/a.txt", "memory:///data/a.txt", "memory:///other/d.txt");
        assertThat(Fingerprint.of(inputs.file(1)))
                .isEqualTo(Fingerprint.of(inputs.file(0)))
                .isNotEqualTo(Fingerprint.of(inputs.file(2)));
        assertThat(Origin.of(inputs.file(1), Fingerprint.of(inputs.file(1)), 0, 3).input())
                .isEqualTo("memory:///data/a.txt");
    }

    @Test
    void textsGiveTheTokensThatTheyGiveOnADisk() {
        put("texts/a.txt", "one two three. ".repeat(40_000));
        put("texts/b.jsonl", Texts.json("q", "four five") + "\n" + Texts.json("q", "six"));
        IngestSettings settings = new IngestSettings("cl100k_base", 512, 20, List.of("q"));
        Inputs local = TextRows.inputs(locations, List.of(folder + "/texts"));
        Inputs stored = TextRows.inputs(locations, List.of("memory:///texts"));

        Ingested all = Ingested.by(InputUnits.start(stored, settings), 1);

        assertThat(all)
                .isEqualTo(Ingested.by(InputUnits.start(local, settings), 1))
                .satisfies(ingested -> assertThat(ingested.batches()).hasSizeGreaterThan(5));
        Ingested.Batch fifth = all.batches().get(4);
        assertThat(Ingested.by(InputUnits.resume(stored, settings, fifth.progress()), 1).batches())
                .isEqualTo(all.batches().subList(5, all.batches().size()));
    }

    @Test
    void aFolderIsListedOnce() {
        write();

        Inputs inputs = TextRows.inputs(locations, List.of("memory:///data/*.txt"));
        assertThat(inputs.size()).isEqualTo(3);
        assertThat(store.requests().lists()).isEqualTo(1);
        TextRows.inputs(locations, List.of("memory:///data/b.txt", "memory:///data/a.txt"));
        assertThat(inputs.file(0).size()).isEqualTo(NAMES.get(2).length());
        assertThat(store.requests().lists()).isEqualTo(1);
        assertThat(store.requests().reads()).isZero();
    }

    @Test
    void whatNamesNoObjectIsRefused() {
        write();

        assertRefused("memory:///data/missing.txt: there is no such file", "data/missing.txt");
        assertRefused("nothing matches", "data/*.csv");
        assertRefused("nothing matches", "missing/*.txt");
        assertRefused("among the inputs twice", "data/a.txt", "data");
        assertRefused("must close", "[a/*.txt");
        assertThatThrownBy(() -> names("memory:///data/a b.txt"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Invalid key 'data/a b.txt': use names of");
        assertThatThrownBy(() -> names("memory:///data/../other"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void assertRefused(String why, String... arguments) {
        String[] uris =
                List.of(arguments).stream().map("memory:///"::concat).toArray(String[]::new);
        assertThatThrownBy(() -> names(uris))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(why);
    }

    private List<String> names(String... arguments) {
        Inputs inputs = TextRows.inputs(locations, List.of(arguments));
        return IntStream.range(0, inputs.size())
                .mapToObj(each -> inputs.file(each).name())
                .toList();
    }

    private void write() {
        NAMES.forEach(name -> put(name, name));
    }

    private void put(String name, String text) {
        Texts.write(folder.resolve(name), text);
        store.create(name, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
}
