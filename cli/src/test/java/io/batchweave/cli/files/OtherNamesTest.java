package io.batchweave.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.rows.RowSource;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.Listing;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.local.LocalStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other programs put into a store under names that cannot be read is not passed over. */
class OtherNamesTest {
    private static final String WHY =
            ": on a store only names of letters, digits, '_', '-', '=' and '.' can be read; rename"
                    + " it, or ingest it from a disk";

    @TempDir Path folder;

    @BeforeEach
    void write() throws IOException {
        for (String name :
                List.of("a/x.jsonl", "b/y z.jsonl", "b/y.jsonl", "c/in it/x.jsonl", "d/y z.pdf")) {
            Files.createDirectories(folder.resolve(name).getParent());
            Files.writeString(folder.resolve(name), "{}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk://x/b", "disk://x/b/*.jsonl", "disk://x/*/y*.jsonl"})
    void anObjectIsRefusedByItsNameWhereAFolderOrPatternLeadsToIt(String argument) {
        assertThatThrownBy(() -> inputs(argument))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("Cannot ingest ")
                .hasMessageEndingWith("/b/y z.jsonl" + WHY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk://x/c", "disk://x/c/**", "disk://x/c/*/*.jsonl"})
    void aFolderIsRefusedByItsName(String argument) {
        assertThatThrownBy(() -> inputs(argument))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageEndingWith("/c/in it" + WHY);
    }

    @Test
    void whatIsNotWantedMayHaveAnyName() {
        assertThat(inputs("disk://x/a").size()).isEqualTo(1);
        assertThat(inputs("disk://x/b/y.jsonl").size()).isEqualTo(1);
        assertThatThrownBy(() -> inputs("disk://x/d"))
                .hasMessageContaining("the folder holds no .parquet");
    }

    @Test
    void nothingBetweenTwoSlashesIsRefused() {
        MemoryStore memory = new MemoryStore(World.real());
        memory.create("f/a.jsonl", ByteBuffer.allocate(0));
        ObjectStore store =
                new ForwardingStore(memory) {
                    @Override
                    public Listing list(String key, String after) {
                        Listing all = super.list(key, after);
                        return new Listing(all.objects(), all.folders(), List.of("/"));
                    }
                };
        try (Locations locations = new Locations(uri -> store)) {
            assertThatThrownBy(() -> RowSource.inputs(locations, List.of("memory:///f")))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage("Cannot ingest memory:///f//" + WHY);
            assertThatThrownBy(() -> RowSource.inputs(locations, List.of("memory:///")))
                    .hasMessage("Cannot ingest memory:////" + WHY);
        }
    }

    private Inputs inputs(String argument) {
        try (Locations locations = new Locations(uri -> new LocalStore(folder, World.real()))) {
            return RowSource.inputs(locations, List.of(argument));
        }
    }
}
