package io.batchweave.store;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store promises of reading and listing. */
abstract class ReadingContract extends SharedSpace {
    /** So many objects and as many folders fill more than one page, where listings have pages. */
    private static final int MANY = 600;

    private static final PieceSink NONE =
            piece -> {
                throw new AssertionError("Nothing was to come");
            };

    // Reading

    @Test
    void whatWasNeverCreatedIsAbsent() {
        ObjectStore store = client();
        store.create("a/b", bytes("x"));

        for (String key : List.of("a", "a/c", "b", "x/y/z")) {
            assertThat(store.read(key, 10)).isInstanceOf(Fetched.Absent.class);
            assertThat(store.readInto(key, 0, ByteBuffer.allocate(1)))
                    .isInstanceOf(Fetched.Absent.class);
        }
    }

    @Test
    void anObjectLargerThanAllowedIsNotRead() {
        ObjectStore store = client();
        store.create("log/7", bytes("12345"));

        assertThat(text(store.read("log/7", 5))).isEqualTo("12345");
        assertThatThrownBy(() -> store.read("log/7", 4))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("log/7")
                .hasMessageContaining("5 bytes");
    }

    @Test
    void rangesFillTheCallersBuffer() {
        ObjectStore store = client();
        store.create("digits", bytes("0123456789"));

        for (ByteBuffer target : List.of(ByteBuffer.allocate(8), ByteBuffer.allocateDirect(8))) {
            target.position(2).limit(6);
            ByteBuffer body = body(store.readInto("digits", 3, target));

            assertThat(body).isEqualTo(bytes("3456"));
            assertThat(target.position()).isEqualTo(6);
            assertThat(target.limit()).isEqualTo(6);
            assertThat(target.flip()).isEqualTo(bytes("\0\0003456"));
        }
    }

    @Test
    void rangesOfALargeObjectAreItsBytes() {
        ObjectStore store = client();
        store.create("large", pattern(0, LARGE_BYTES));
        int offset = 1_234_567;

        for (ByteBuffer target :
                List.of(
                        ByteBuffer.allocate(LARGE_BYTES - offset),
                        ByteBuffer.allocateDirect(LARGE_BYTES - offset))) {
            assertThat(body(store.readInto("large", offset, target)))
                    .isEqualTo(pattern(offset, LARGE_BYTES - offset));
        }
    }

    @Test
    void anEmptyRangeIsFoundAsFarAsTheObjectsEnd() {
        ObjectStore store = client();
        store.create("abc", bytes("abc"));

        assertThat(text(store.readInto("abc", 0, ByteBuffer.allocate(0)))).isEmpty();
        assertThat(text(store.readInto("abc", 3, ByteBuffer.allocate(0)))).isEmpty();
        assertThatThrownBy(() -> store.readInto("abc", 4, ByteBuffer.allocate(0)))
                .isInstanceOf(CorruptException.class);
    }

    @Test
    @Tag("STORE-8")
    void aRangePastTheEndIsCorruptAndNamed() {
        ObjectStore store = client();
        store.create("a/part", bytes("0123456789"));

        assertThatThrownBy(() -> store.readInto("a/part", 8, ByteBuffer.allocate(3)))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("a/part")
                .hasMessageContaining("offset 8")
                .hasMessageContaining("3 bytes");
        assertThatThrownBy(() -> store.readInto("a/part", 11, ByteBuffer.allocate(1)))
                .isInstanceOf(CorruptException.class);
        assertThatThrownBy(
                        () -> store.readInto("a/part", Long.MAX_VALUE - 1, ByteBuffer.allocate(3)))
                .isInstanceOf(CorruptException.class);
    }

    @Test
    void aNegativeOffsetMakesNoSense() {
        ObjectStore store = client();

        assertThatThrownBy(() -> store.readInto("a", -1, ByteBuffer.allocate(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // Reading through

    @Test
    void aRangeGoesThroughInOrderAndInSmallPieces() {
        ObjectStore store = client();
        store.create("large", pattern(0, LARGE_BYTES));
        int offset = 1_234_567;
        int length = LARGE_BYTES - offset - 3;
        ByteBuffer all = ByteBuffer.allocate(length);

        Fetched fetched =
                store.readThrough(
                        "large",
                        offset,
                        length,
                        piece -> {
                            assertThat(piece.remaining()).isBetween(1, PieceSink.PIECE_BYTES_MAX);
                            all.put(piece);
                        });

        assertThat(body(fetched).hasRemaining()).isFalse();
        assertThat(all.flip()).isEqualTo(pattern(offset, length));
    }

    @Test
    void aSinkNeedNotMoveThePositionAndMayReadItself() {
        ObjectStore store = client();
        store.create("large", pattern(0, LARGE_BYTES));
        ByteBuffer all = ByteBuffer.allocate(LARGE_BYTES);
        int[] others = new int[1];

        store.readThrough(
                "large",
                0,
                LARGE_BYTES,
                piece -> {
                    store.readThrough("large", 7, 1_000, other -> others[0] += other.remaining());
                    all.put(piece.duplicate());
                });

        assertThat(all.flip()).isEqualTo(pattern(0, LARGE_BYTES));
        assertThat(others[0]).isPositive();
    }

    static Stream<RuntimeException> thrownBySinks() {
        return Stream.of(
                new UncheckedIOException(new EOFException("no space left")),
                new IllegalStateException("closed"),
                new UnavailableException("Cannot write: try later"));
    }

    @ParameterizedTest
    @MethodSource("thrownBySinks")
    void whatASinkThrowsEndsTheReadAsItIs(RuntimeException thrown) {
        ObjectStore store = client();
        store.create("large", pattern(0, LARGE_BYTES));
        List<Integer> pieces = new ArrayList<>();

        assertThatThrownBy(
                        () ->
                                store.readThrough(
                                        "large",
                                        0,
                                        LARGE_BYTES,
                                        piece -> {
                                            pieces.add(piece.remaining());
                                            if (pieces.size() == 2) {
                                                throw thrown;
                                            }
                                        }))
                .isSameAs(thrown);
        assertThat(pieces).hasSize(2);
        assertThat(text(store.readInto("large", 0, ByteBuffer.allocate(1)))).hasSize(1);
    }

    @Test
    void whatIsNotThereGoesThroughNoSink() {
        ObjectStore store = client();
        store.create("a/b", bytes("abc"));

        for (String key : List.of("a", "a/c", "x/y")) {
            assertThat(store.readThrough(key, 0, 1, NONE)).isInstanceOf(Fetched.Absent.class);
            assertThat(store.readThrough(key, 0, 0, NONE)).isInstanceOf(Fetched.Absent.class);
        }
        assertThat(text(store.readThrough("a/b", 0, 0, NONE))).isEmpty();
        assertThat(text(store.readThrough("a/b", 3, 0, NONE))).isEmpty();
        assertThatThrownBy(() -> store.readThrough("a/b", 4, 0, NONE))
                .isInstanceOf(CorruptException.class);
    }

    @Test
    @Tag("STORE-8")
    void aRangePastTheEndGoesThroughNoSink() {
        ObjectStore store = client();
        store.create("a/part", bytes("0123456789"));

        assertThatThrownBy(() -> store.readThrough("a/part", 8, 3, NONE))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("a/part")
                .hasMessageContaining("offset 8")
                .hasMessageContaining("3 bytes");
        assertThatThrownBy(() -> store.readThrough("a/part", 11, 1, NONE))
                .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> store.readThrough("a/part", 1, Long.MAX_VALUE, NONE))
                .isInstanceOf(CorruptException.class);
        assertThatThrownBy(() -> store.readThrough("a/part", -1, 1, NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.readThrough("a/part", 1, -1, NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // Listing

    @Test
    void aFolderListsItsObjectsAndFoldersInOrder() {
        ObjectStore store = client();
        for (String key : List.of("f/b", "f/a", "f/c-1/x", "f/c/y/z", "f/c/w", "f/d", "fx", "e")) {
            store.create(key, bytes(key));
        }

        assertThat(store.list("f", ""))
                .isEqualTo(
                        new Listing(
                                List.of(item("f/a"), item("f/b"), item("f/d")),
                                List.of("c", "c-1")));
        assertThat(store.list("", ""))
                .isEqualTo(new Listing(List.of(item("e"), item("fx")), List.of("f")));
        assertThat(store.list("f/c", ""))
                .isEqualTo(new Listing(List.of(item("f/c/w")), List.of("y")));
    }

    @Test
    void whatNoKeyLeadsToIsToldByItsName() throws IOException {
        assumeTrue(abilities().contains(Ability.HOLDS_OTHERS), "Others cannot put anything here");
        ObjectStore store = client();
        store.create("f/a", bytes("f/a"));
        for (String name : List.of("f/my file", "f/my folder/b", "f/(1)", "f/.hidden")) {
            plant(name);
        }

        assertThat(store.list("f", ""))
                .isEqualTo(
                        new Listing(
                                List.of(item("f/a")),
                                List.of(),
                                List.of("(1)", "my file", "my folder/")));
        assertThat(store.list("f", "f/b"))
                .isEqualTo(new Listing(List.of(), List.of(), List.of("my file", "my folder/")));
        assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of("f")));
    }

    @Test
    void aFolderThatDoesNotExistIsEmpty() {
        ObjectStore store = client();
        store.create("ab/c", bytes("x"));

        for (String folder : List.of("a", "ab/c", "b/c")) {
            assertThat(store.list(folder, "")).isEqualTo(new Listing(List.of(), List.of()));
        }
        assertThat(client().list("", "").folders()).containsExactly("ab");
    }

    @Test
    void aListingStartsAfterTheKeyGiven() {
        ObjectStore store = client();
        for (String key : List.of("f/1", "f/2", "f/3", "f/20/x", "f/30/x")) {
            store.create(key, bytes(key));
        }

        assertThat(store.list("f", "f/2"))
                .isEqualTo(new Listing(List.of(item("f/3")), List.of("20", "30")));
        assertThat(store.list("f", "f/20"))
                .isEqualTo(new Listing(List.of(item("f/3")), List.of("30")));
        assertThat(store.list("f", "f/25"))
                .isEqualTo(new Listing(List.of(item("f/3")), List.of("30")));
        assertThat(store.list("f", "f/4")).isEqualTo(new Listing(List.of(), List.of()));
        assertThat(store.list("f", "e").objects()).hasSize(3);
        assertThat(store.list("f", "g").objects()).isEmpty();
    }

    @Test
    void aLargeFolderIsListedWhole() throws Exception {
        ObjectStore store = client();
        List<String> keys = IntStream.range(0, MANY).mapToObj("many/%04d"::formatted).toList();
        List<String> folders = IntStream.range(0, MANY).mapToObj("%04d-f"::formatted).toList();
        int threads = 8;
        together(
                threads,
                thread -> {
                    for (int i = thread; i < MANY; i += threads) {
                        store.create(keys.get(i), bytes("x"));
                        store.create("many/" + folders.get(i) + "/x", bytes("x"));
                    }
                    return thread;
                });

        Listing all = store.list("many", "");
        assertThat(all.objects()).extracting(Listing.Item::key).isEqualTo(keys);
        assertThat(all.folders()).isEqualTo(folders);
        assertThat(store.list("many", keys.get(9)).objects()).hasSize(MANY - 10);

        store.delete(keys);
        assertThat(store.list("many", "").objects()).isEmpty();
    }
}
