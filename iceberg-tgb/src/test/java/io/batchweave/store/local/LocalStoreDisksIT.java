package io.batchweave.store.local;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, read-only or several. */
class LocalStoreDisksIT {
    private static final int TOO_MUCH = 2 * 1_024 * 1_024;

    @TempDir private Path root;

    private LocalStore store() {
        return new LocalStore(root, World.real());
    }

    @Test
    void aFullDiskIsAClearErrorAndNothingIsLeft() throws Exception {
        try (Mount disk = Mount.of(root, "size=1m");
                ObjectStore store = store()) {
            assertThatThrownBy(() -> store.create("data/large", pattern(0, TOO_MUCH)))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessage(
                            "Cannot create data/large in %s: No space left on device", store.uri());
            try (Upload upload = store.upload("data/large")) {
                assertThatThrownBy(() -> upload.write(pattern(0, TOO_MUCH)))
                        .isInstanceOf(UnavailableException.class);
                assertNothingIsLeft(store);
            }

            assertNothingIsLeft(store);
            assertThat(store.create("data/small", pattern(0, TOO_MUCH / 4)))
                    .isInstanceOf(Creation.Done.class);
        }
    }

    @Test
    void aDiskWithoutRoomForAFolderIsAClearErrorAndNothingIsLeft() throws Exception {
        // For the root, .uploads, the writer's folder, its lock, its targets, a file and two more.
        try (Mount disk = Mount.of(root, "nr_inodes=8");
                ObjectStore store = store()) {
            assertThatThrownBy(() -> store.create("a/b/c/d/e", bytes("x")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("No space left on device");

            assertNothingIsLeft(store);
            assertThat(store.create("a/b", bytes("x"))).isInstanceOf(Creation.Done.class);
        }
    }

    @Test
    void aReadOnlyDiskCanBeReadOnly() throws Exception {
        try (Mount disk = Mount.of(root, "size=1m")) {
            try (ObjectStore store = store()) {
                store.create("a/b", bytes("x"));
            }
            disk.makeReadOnly();

            try (ObjectStore store = store()) {
                assertThat(text(store.read("a/b", 1))).isEqualTo("x");
                assertThat(store.create("a/b", bytes("x"))).isInstanceOf(Creation.Refused.class);
                assertThatThrownBy(() -> store.create("a/c", bytes("x")))
                        .isInstanceOf(NoAccessException.class)
                        .hasMessageContaining("Read-only file system");
                assertThatThrownBy(() -> store.delete(List.of("a/b")))
                        .isInstanceOf(NoAccessException.class)
                        .hasMessageContaining("Read-only file system");
                assertThat(store.list("a", "").objects()).hasSize(1);
            }
        }
    }

    @Test
    void anotherDiskBelowTheRootIsAClearError() throws Exception {
        Path below = Files.createDirectories(root.resolve("data"));
        try (Mount disk = Mount.of(below, "size=1m");
                ObjectStore store = store()) {
            assertThatThrownBy(() -> store.create("data/a", bytes("x")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("Invalid cross-device link");

            assertThat(store.list("data", "").objects()).isEmpty();
        }
    }

    private void assertNothingIsLeft(ObjectStore store) throws IOException {
        assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of()));
        try (Stream<Path> files = Files.walk(root.resolve(Staging.HOME))) {
            assertThat(files.filter(file -> file.getFileName().toString().matches("[0-9]+")))
                    .isEmpty();
        }
    }
}
