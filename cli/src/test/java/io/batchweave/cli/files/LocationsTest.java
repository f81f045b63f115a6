package io.batchweave.cli.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people call inputs, and what is found by it. */
class LocationsTest {
    private final List<String> opened = new ArrayList<>();
    private final Locations locations = new Locations(this::open);

    private ObjectStore open(String uri) {
        opened.add(uri);
        return new MemoryStore(World.real());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/data/a b+c.txt",
                "file:/data/a%20b+c.txt",
                "file:///data/a b%2Bc.txt",
                "FILE://localhost/data/a%20b+c.txt"
            })
    void aFileUriIsAPath(String text) {
        Location file = locations.at(text);

        assertThat(file).isEqualTo(new LocalFile(Path.of("/data/a b+c.txt")));
        assertThat(file.origin()).isEqualTo("/data/a b+c.txt").isEqualTo(file.toString());
        assertThat(opened).isEmpty();
    }

    @Test
    void aRelativePathIsKnownByItsAbsoluteOne() {
        assertThat(locations.at("file:a.txt").toString()).isEqualTo("a.txt");
        assertThat(locations.at("x/../a.txt").origin())
                .isEqualTo(Path.of("a.txt").toAbsolutePath().toString());
    }

    @Test
    void aStoreIsOpenedOnceForAllThatIsInIt() {
        locations.at("s3://bucket/a/b.txt");
        locations.at("s3://bucket/");
        locations.at("s3://bucket");
        locations.at("s3://other/a");
        locations.at("hdfs://host:8020/a");

        assertThat(opened).containsExactly("s3://bucket/", "s3://other/", "hdfs://host:8020/");
    }

    @Test
    void anObjectIsKnownByItsUri() {
        Location file = locations.at("memory:///data//a.txt/");

        assertThat(locations.at("memory:///data/a.txt").origin()).isEqualTo("memory:///data/a.txt");
        assertThat(file.pathBelow(locations.at("memory:///"))).isEqualTo("data//a.txt");
    }

    @Test
    void whatOpensNoStoreIsRefused() {
        try (Locations real = Locations.in(World.real())) {
            assertRefused(real, "gopher://host/a.txt", "Cannot open a store of scheme 'gopher'");
            assertRefused(real, "s3://user:secret@bucket/a", "its URI holds a password");
            assertRefused(real, "file:///a%2", "Cannot ingest 'file:///a%2': it is no URI");
        }
    }

    private static void assertRefused(Locations locations, String text, String why) {
        assertThatThrownBy(() -> locations.at(text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("secret");
    }
}
