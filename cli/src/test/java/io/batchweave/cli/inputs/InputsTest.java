package io.batchweave.cli.inputs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputsTest {
    @TempDir Path folder;

    @Test
    void aFolderIsReadInTheOrderOfItsNamesBytes() {
        write("b.txt", "a/z.md", "a.txt", "ä.txt", "Z.JSONL", "x.ndjson", "a/b/c.txt");

        assertThat(names(folder.toString()))
                .containsExactly(
                        "Z.JSONL", "a.txt", "a/b/c.txt", "a/z.md", "b.txt", "x.ndjson", "ä.txt");
    }

    @Test
    void aFolderGivesOnlyVisibleFilesOfKnownEndings() {
        write("a.txt", ".hidden.txt", ".git/b.txt", "c.py", "d.json", "e.txt.gz");

        assertThat(names(folder.toString())).containsExactly("a.txt");
    }

    @Test
    void argumentsKeepTheirOrder() {
        write("b.txt", "a.txt", "sub/c.txt");

        assertThat(names(at("b.txt"), at("sub"), at("a.txt")))
                .containsExactly("b.txt", "c.txt", "a.txt");
    }

    @Test
    void aFileHasOneNameHoweverItIsFound() {
        write("data/a.txt");

        assertThat(names(at("data/a.txt"))).containsExactly("a.txt");
        assertThat(names(at("data"))).containsExactly("a.txt");
        assertThat(names(at("data/"))).containsExactly("a.txt");
        assertThat(names(at("data/*.txt"))).containsExactly("a.txt");
        assertThat(names(at("data/**/a.txt"))).containsExactly("a.txt");
    }

    @Test
    void patternsFindWhatAShellWouldFind() {
        write("a1.txt", "a2.txt", "b1.txt", ".a3.txt", "x/a4.txt", "x/y/a5.txt", "x/y/c.csv");

        assertThat(names(at("a*.txt"))).containsExactly("a1.txt", "a2.txt");
        assertThat(names(at("?1.txt"))).containsExactly("a1.txt", "b1.txt");
        assertThat(names(at("[ab]1.{txt,md}"))).containsExactly("a1.txt", "b1.txt");
        assertThat(names(at("*/*/c.csv"))).containsExactly("x/y/c.csv");
        assertThat(names(at("**/a*.txt")))
                .containsExactly("a1.txt", "a2.txt", "x/a4.txt", "x/y/a5.txt");
        assertThat(names(at("x/**"))).containsExactly("a4.txt", "y/a5.txt");
        assertThat(names(at("*/y"))).containsExactly("x/y/a5.txt");
        assertThat(names(at("**/**/a5.txt"))).containsExactly("x/y/a5.txt");
    }

    @Test
    void aNameThatLooksLikeAPatternIsAName() {
        write("a[1].txt", "a1.txt");

        assertThat(names(at("a[1].txt"))).containsExactly("a[1].txt");
    }

    @Test
    void linksAreFollowed() throws IOException {
        write("cache/blob/a.txt");
        Files.createDirectory(folder.resolve("data"));
        Files.createSymbolicLink(folder.resolve("data/b.txt"), folder.resolve("cache/blob/a.txt"));

        assertThat(names(at("data"))).containsExactly("b.txt");
    }

    @Test
    void aLinkThatLeadsBackUpIsRefused() throws IOException {
        write("data/a.txt");
        Files.createSymbolicLink(folder.resolve("data/loop"), folder.resolve("data"));

        assertRefused("link that leads back up", at("data"));
        assertRefused("link that leads back up", at("**/a.txt"));
    }

    @Test
    void aLinkToNothingIsRefused() throws IOException {
        Files.createSymbolicLink(folder.resolve("a.txt"), folder.resolve("gone"));

        assertRefused("no regular file", folder.toString());
    }

    @Test
    void whatNamesNoFileIsRefused() throws IOException {
        write("a.txt", "sub/b.csv");

        assertRefused("no input is named");
        assertRefused("missing.txt: there is no such file", at("missing.txt"));
        assertRefused("nothing matches", at("*.jsonl"));
        assertRefused("nothing matches", at("missing/*.jsonl"));
        assertRefused("holds no .txt", at("sub"));
        assertRefused("it is no path", "");
        assertRefused("it is no path", "a\0b");
        assertRefused("must close", at("[a/*.txt"));
    }

    @Test
    void aFileIsNamedOnce() {
        write("a.txt", "sub/b.txt");

        assertRefused("among the inputs twice", at("a.txt"), folder.toString());
        assertRefused("among the inputs twice", at("sub/../a.txt"), at("a.txt"));
    }

    private void assertRefused(String why, String... arguments) {
        assertThatThrownBy(() -> Local.inputs(List.of(arguments)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(why)
                .hasMessageStartingWith("Cannot ");
    }

    private static List<String> names(String... arguments) {
        Inputs inputs = Local.inputs(List.of(arguments));
        return IntStream.range(0, inputs.size()).mapToObj(i -> inputs.file(i).name()).toList();
    }

    private String at(String name) {
        return folder + "/" + name;
    }

    private void write(String... names) {
        Stream.of(names).forEach(name -> Texts.write(folder.resolve(name), "some text"));
    }
}
