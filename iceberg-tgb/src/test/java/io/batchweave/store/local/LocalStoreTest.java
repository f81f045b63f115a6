package io.batchweave.store.local;

import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.Listing;
import io.batchweave.store.Upload;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    @TempDir private Path root;
    private World world = new World(() -> NOW, pause -> {}, new SplittableRandom(1));
    private WatchedDisk disk;
    private LocalStore store;

    @BeforeEach
    void openStore() {
        disk = new WatchedDisk(root);
        store = new LocalStore(root, world, disk);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    // What is durable when

    @Test
    @Tag("STORE-1")
    void anObjectIsSyncedBeforeItHasItsKeyAndItsFolderBeforeItIsDone() {
        store.create("log/0/1", bytes("x"));
        assertThat(disk.done())
                .containsExactly("sync file", "link log/0/1", "sync /log/0", "sync /log", "sync /");

        store.create("log/0/2", bytes("x"));
        assertThat(disk.done()).containsExactly("sync file", "link log/0/2", "sync /log/0");

        store.create("log/1/1", bytes("x"));
        assertThat(disk.done())
                .containsExactly("sync file", "link log/1/1", "sync /log/1", "sync /log");
    }

    @Test
    void aFolderThatAnotherProcessHasNotSyncedYetIsSynced() throws IOException {
        store.create("log/0/1", bytes("x"));
        store.delete(List.of("log/0/1"));
        Files.createDirectories(root.resolve("log/0"));
        disk.done();

        store.create("log/0/1", bytes("x"));

        assertThat(disk.done()).endsWith("sync /log/0", "sync /log", "sync /");
    }

    @Test
    @Tag("STORE-1")
    @Tag("STORE-7")
    void aRefusalIsToldWhenTheWinnerIsDurable() {
        Creation[] loser = new Creation[1];
        LocalStore other = new LocalStore(root, world, disk);
        disk.afterLink =
                name -> {
                    disk.done();
                    loser[0] = other.create("log/0", bytes("loser"));
                    assertThat(disk.done()).containsExactly("sync /log", "sync /");
                };

        assertThat(store.create("log/0", bytes("winner"))).isEqualTo(new Creation.Done(NOW));

        assertThat(loser[0]).isEqualTo(new Creation.Refused(NOW));
        disk.done();
        assertThat(other.create("log/0", bytes("loser"))).isEqualTo(new Creation.Refused(NOW));
        assertThat(disk.done()).as("the winner's own work").isEmpty();
        other.close();
    }

    @Test
    void whatAReaderIsGivenIsDurable() {
        List<List<String>> syncs = new ArrayList<>();
        disk.afterLink =
                name -> {
                    for (Supplier<Fetched> read : reads()) {
                        disk.done();
                        assertThat(text(read.get())).isEqualTo("x");
                        syncs.add(disk.done());
                    }
                };

        store.create("log/0", bytes("x"));

        assertThat(syncs).hasSize(2).allMatch(List.of("sync /log", "sync /")::equals);
        for (Supplier<Fetched> read : reads()) {
            disk.done();
            assertThat(text(read.get())).isEqualTo("x");
            assertThat(disk.done()).isEmpty();
        }
    }

    private List<Supplier<Fetched>> reads() {
        return List.of(
                () -> store.read("log/0", 1),
                () -> store.readInto("log/0", 0, ByteBuffer.allocate(1)));
    }

    // What fails, and how it came out

    @Test
    @Tag("STORE-1")
    void aFolderThatCannotBeSyncedMakesACreateUnknownUntilItCan() {
        disk.beforeFolderSync =
                folder -> {
                    throw new IOException("Input/output error");
                };

        assertThat(store.create("log/0", bytes("x"))).isInstanceOf(Creation.Unknown.class);
        assertThat(store.create("log/0", bytes("x"))).isInstanceOf(Creation.Unknown.class);
        assertThatThrownBy(() -> store.read("log/0", 1)).isInstanceOf(UnavailableException.class);

        disk.beforeFolderSync = folder -> {};
        assertThat(store.create("log/0", bytes("x"))).isEqualTo(new Creation.Refused(NOW));
        assertThat(disk.done()).contains("sync /log", "sync /");
    }

    @Test
    void bytesThatCannotBeSyncedAreNoObject() throws IOException {
        disk.beforeFileSync =
                file -> {
                    throw new IOException("Input/output error");
                };

        assertThatThrownBy(() -> store.create("log/0", bytes("x")))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("Cannot create log/0 in " + store.uri() + ": Input/output error");
        assertNothingIsLeft();
    }

    @Test
    @Tag("STORE-1")
    void aLinkThatFailsAlthoughItWasMadeIsUnknown() {
        disk.afterLink =
                name -> {
                    throw new FileSystemException(name.toString(), null, "Stale file handle");
                };

        assertThat(store.create("log/0", bytes("x"))).isInstanceOf(Creation.Unknown.class);

        assertThat(text(store.read("log/0", 1))).isEqualTo("x");
    }

    @Test
    void aFileSystemWithoutHardLinksIsNamedAsTheCause() throws IOException {
        disk.beforeTry =
                name -> {
                    throw new FileSystemException(null, null, "Operation not permitted");
                };

        assertThatThrownBy(() -> store.upload("log/0"))
                .isInstanceOf(NoAccessException.class)
                .hasMessageContaining("no hard link can be made there (Operation not permitted");
        assertNothingIsLeft();
    }

    @Test
    void aDeniedPermissionIsNamedWithItsFile() throws IOException {
        disk.beforeLink =
                name -> {
                    throw new AccessDeniedException(name.toString());
                };

        assertThatThrownBy(() -> store.create("log/0", bytes("x")))
                .isInstanceOf(NoAccessException.class)
                .hasMessageContaining("permission denied for " + root.resolve("log/0"));
        assertNothingIsLeft();
    }

    @Test
    void aFileWhereAFolderShouldBeIsAClearError() throws IOException {
        store.create("a", bytes("x"));

        assertThatThrownBy(() -> store.create("a/b", bytes("x")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("Cannot create a/b in " + store.uri())
                .hasMessageContaining("ot a ");
        store.delete(List.of("a"));
        assertNothingIsLeft();
    }

    @Test
    void aFolderWhereAnObjectShouldBeIsNoRefusal() {
        store.create("a/b", bytes("x"));

        assertThatThrownBy(() -> store.create("a", bytes("x")))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("Is a folder");
    }

    @Test
    void aMissingRootIsNoEmptyStore() throws IOException {
        Files.delete(root);

        for (Runnable call :
                List.<Runnable>of(
                        () -> store.create("a/b", bytes("x")),
                        () -> store.upload("a/b"),
                        () -> store.read("a/b", 1),
                        () -> store.readInto("a/b", 0, ByteBuffer.allocate(1)),
                        () -> store.list("", ""),
                        () -> store.list("a", ""),
                        () -> store.delete(List.of("a/b")))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("does not exist");
        }
        assertThat(root).doesNotExist();
        Files.createDirectory(root);
    }

    @Test
    void anInterruptBeforeTheLinkLeavesNothing() throws IOException {
        store.create("a", bytes("x"));
        store.delete(List.of("a"));
        Upload upload = store.upload("log/0");
        upload.write(bytes("x"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(upload::complete)
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("interrupted");
        assertThatThrownBy(() -> store.create("log/0", bytes("x")))
                .isInstanceOf(UnavailableException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertNothingIsLeft();
    }

    @Test
    @Tag("STORE-1")
    void anInterruptAfterTheLinkIsUnknown() {
        disk.afterLink = name -> Thread.currentThread().interrupt();

        assertThat(store.create("log/0", bytes("x"))).isInstanceOf(Creation.Unknown.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(store.create("log/0", bytes("x"))).isEqualTo(new Creation.Refused(NOW));
    }

    @Test
    void anInterruptedReaderIsToldSo() {
        store.create("a", bytes("x"));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> store.read("a", 1))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("interrupted");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(text(store.read("a", 1))).isEqualTo("x");
    }

    // What lies on the disk

    @Test
    void aStoreThatOnlyReadsWritesNothing() throws IOException {
        store.read("a", 1);
        store.list("", "");
        store.delete(List.of("a"));
        store.close();

        assertThat(files()).isEmpty();
    }

    @Test
    void foreignNamesAreListedApart() throws IOException {
        for (String name : List.of(".hidden", "lost+found", "a b", "~x", "#y#")) {
            Files.writeString(root.resolve(name), "x");
        }
        Files.createDirectory(root.resolve(".git"));
        store.create("a", bytes("x"));

        assertThat(store.list("", ""))
                .isEqualTo(
                        new Listing(
                                List.of(new Listing.Item("a", 1)),
                                List.of(),
                                List.of("#y#", "a b", "lost+found", "~x")));
    }

    @Test
    void aClosedStoreLeavesOnlyObjects() throws IOException {
        Upload open = store.upload("b");
        open.write(bytes("x"));
        store.create("a", bytes("x"));
        store.close();

        assertThat(files()).containsExactly(".uploads", "a");
        assertThatThrownBy(open::complete).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> store.create("c", bytes("x")))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(files()).containsExactly(".uploads", "a");
    }

    @Test
    @Tag("STORE-5")
    void storeTimeIsTheWorldsClock() {
        assertThat(store.create("a", bytes("x"))).isEqualTo(new Creation.Done(NOW));
        assertThat(store.create("a", bytes("x"))).isEqualTo(new Creation.Refused(NOW));
        assertThat(store.read("b", 1)).isEqualTo(new Fetched.Absent(NOW));
    }

    // What the dead leave

    @Test
    void whatADeadWriterLeftIsRemovedAndItsObjectsMadeDurable() throws IOException {
        Path dead = Files.createDirectories(root.resolve(".uploads/1-2-dead"));
        Files.writeString(dead.resolve("lock"), "");
        Files.writeString(dead.resolve("1"), "half an obj");
        Files.writeString(dead.resolve("2"), "x");
        Files.writeString(dead.resolve("targets"), "log/0\ngone/for/long\n");
        Files.createDirectories(root.resolve("log/0"));
        Files.createLink(root.resolve("log/0/7"), dead.resolve("2"));
        Files.createDirectory(root.resolve(".uploads/1-2-newborn"));

        store.create("a", bytes("x"));

        assertThat(disk.done())
                .containsExactly(
                        "sync /log/0", "sync /log", "sync /", "sync file", "link a", "sync /");
        store.close();
        assertThat(files()).containsExactly(".uploads", "a", "log", "log/0", "log/0/7");
    }

    @Test
    void otherStoresOfThisProcessAreAlive() {
        try (Upload upload = store.upload("a");
                LocalStore second = new LocalStore(root, world)) {
            second.create("b", bytes("x"));

            upload.write(bytes("y"));
            assertThat(upload.complete()).isEqualTo(new Creation.Done(NOW));
        }
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of()));
        assertThat(files().stream().filter(file -> !file.contains(".uploads"))).isEmpty();
        assertThat(files().stream().filter(file -> file.matches(".uploads/.*/[0-9]+"))).isEmpty();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !file.equals(root))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
