package io.batchweave.store;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.local.LocalStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoresTest {
    private final World world = World.real();

    @Test
    void pathsAndFileUrisAreLocalFolders(@TempDir Path folder) {
        try (ObjectStore byPath = Stores.open(folder.toString(), world);
                ObjectStore byUri = Stores.open(folder.toUri().toString(), world)) {
            byPath.create("a", bytes("x"));

            assertThat(text(byUri.read("a", 1))).isEqualTo("x");
            assertThat(byPath.uri()).isEqualTo(byUri.uri()).startsWith("file:///");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"warehouse", "./ware house", "../x:y", "/a:b/c?d#e", "//a", "C:"})
    void whatHasNoSchemeIsAPath(String path) {
        try (ObjectStore store = Stores.open(path, world)) {
            assertThat(store).isInstanceOf(LocalStore.class);
        }
    }

    @Test
    void aFileUriMayBeRelative() {
        try (ObjectStore byPath = Stores.open("ware house", world);
                ObjectStore byUri = Stores.open("file:ware%20house", world)) {
            assertThat(byPath.uri())
                    .isEqualTo(byUri.uri())
                    .isEqualTo(Path.of("ware house").toUri().toString());
        }
    }

    @Test
    void whatLiesBelowAFileIsNoFolder(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("notes"), "x");
        for (Path path : List.of(file, file.resolve("warehouse/a"))) {
            for (BiFunction<String, World, ObjectStore> way :
                    List.<BiFunction<String, World, ObjectStore>>of(Stores::open, Stores::make)) {
                assertThatThrownBy(() -> way.apply(path.toString(), world))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessage(
                                "Cannot open %s: %s is a file; name a folder"
                                        .formatted(path, file));
            }
        }
    }

    @Test
    void anUnknownSchemeIsToldTheKnownOnes() {
        assertThatThrownBy(() -> Stores.open("gopher://hole/a", world))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'gopher'")
                .hasMessageContaining("use a local path or one of abfs, ")
                .hasMessageContaining(", file, ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "file:", "file://host/a", "file:///a b", "file:///a?b", "a\0b", "/\0"})
    void whatNamesNoFolderIsRefusedInOneLine(String uri) {
        assertThatThrownBy(() -> Stores.open(uri, world))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot open")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3://key:hush@bucket/a", "s3://key:hush@buc ket/a"})
    void aPasswordInAUriIsRefusedAndNotRepeated(String uri) {
        assertThatThrownBy(() -> Stores.open(uri, world))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageNotContaining("hush")
                .hasNoCause();
    }

    @Test
    void aMissingLibraryIsNamedTogetherWithWhatBringsIt() {
        StoreProvider bare =
                new StoreProvider() {
                    @Override
                    public Set<String> schemes() {
                        return Set.of("s9", "s9a");
                    }

                    @Override
                    public String needs() {
                        return "com.example:s9-sdk";
                    }

                    @Override
                    public ObjectStore open(URI uri, World world) {
                        throw new NoClassDefFoundError("com/example/s9/Client");
                    }
                };

        assertThatThrownBy(() -> Stores.open("s9://bucket", world, List.of(bare)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(
                        "Cannot open a store of scheme 's9': class com.example.s9.Client is missing;"
                                + " put com.example:s9-sdk on the class path");
        assertThatThrownBy(() -> Stores.open("s8://bucket", world, List.of(bare)))
                .hasMessageEndingWith("s9, s9a");
    }
}
