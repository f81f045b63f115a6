package io.batchweave.store;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.batchweave.errors.InvalidRequestException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every store promises. A class for each store extends this and says how its clients are made,
 * and which {@link Ability abilities} its servers lack.
 */
public abstract class ObjectStoreContract extends ReadingContract {
    // Creating

    @Test
    void createdObjectIsReadBackByAnotherClient() {
        assertDone(client().create("a/b/c", bytes("payload")));

        assertThat(text(client().read("a/b/c", 100))).isEqualTo("payload");
    }

    @Test
    @Tag("STORE-1")
    @Tag("LAYOUT-3")
    void secondCreateIsRefusedAndChangesNothing() {
        ObjectStore store = client();
        assertDone(store.create("log/0", bytes("first")));

        assertRefused(store.create("log/0", bytes("second")));
        assertRefused(client().create("log/0", bytes("first")));

        assertThat(text(store.read("log/0", 100))).isEqualTo("first");
    }

    @Test
    void createTakesWhatRemainsAndLeavesThePosition() {
        ObjectStore store = client();
        ByteBuffer body = bytes("[body]").position(1).limit(5);

        assertDone(store.create("heap", body));
        assertThat(body).isEqualTo(bytes("body"));
        assertDone(store.create("read-only", body.asReadOnlyBuffer()));
        assertDone(store.create("direct", ByteBuffer.allocateDirect(4).put(body.slice()).flip()));

        for (String key : List.of("heap", "read-only", "direct")) {
            assertThat(text(store.read(key, 4))).as(key).isEqualTo("body");
        }
    }

    @Test
    void anEmptyObjectIsAnObject() {
        ObjectStore store = client();
        assertDone(store.create("empty", bytes("")));

        assertRefused(store.create("empty", bytes("more")));
        assertThat(text(store.read("empty", 0))).isEmpty();
        assertThat(store.list("", "").objects()).containsExactly(new Listing.Item("empty", 0));
    }

    @Test
    void createAfterDeleteForgetsTheFirst() {
        ObjectStore store = client();
        store.create("log/42", bytes("first"));
        store.delete(List.of("log/42"));

        assertDone(store.create("log/42", bytes("reborn")));

        assertThat(text(store.read("log/42", 100))).isEqualTo("reborn");
    }

    @Test
    @Tag("STORE-1")
    @Tag("STORE-6")
    void ofManyWhoCreateOneKeyExactlyOneWins() throws Exception {
        int racers = 8;
        int keys = 50;
        List<ObjectStore> stores = List.of(client(), client());
        CyclicBarrier start = new CyclicBarrier(racers);

        List<List<Boolean>> wins =
                together(
                        racers,
                        racer -> {
                            ObjectStore store = stores.get(racer % 2);
                            List<Boolean> won = new ArrayList<>();
                            for (int key = 0; key < keys; key++) {
                                start.await();
                                Creation creation = race(store, racer, "race/" + key);
                                won.add(creation instanceof Creation.Done);
                            }
                            return won;
                        });

        for (int key = 0; key < keys; key++) {
            int at = key;
            List<Integer> winners =
                    IntStream.range(0, racers).filter(r -> wins.get(r).get(at)).boxed().toList();
            assertThat(winners).as("winners of key %d", key).hasSize(1);
            assertThat(text(stores.get(0).read("race/" + key, 100)))
                    .isEqualTo("racer " + winners.get(0));
        }
    }

    /** Every other pair of racers uploads, the others create at once. */
    private static Creation race(ObjectStore store, int racer, String key) {
        ByteBuffer body = bytes("racer " + racer);
        if (racer / 2 % 2 == 0) {
            return store.create(key, body);
        }
        try (Upload upload = store.upload(key)) {
            upload.write(body);
            return upload.complete();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                ".",
                "..",
                "../a",
                "a/../b",
                "a/./b",
                ".a",
                "a/.b",
                "a\\b",
                "a b",
                "a\nb",
                "a\u0000b",
                "ä",
                "-a",
                "a:b",
                "a%2Fb",
                "a?b",
                "a*"
            })
    void whatIsNoKeyIsRefusedByEveryCall(String key) {
        ObjectStore store = client();
        List<Runnable> calls =
                List.of(
                        () -> store.create(key, bytes("x")),
                        () -> store.upload(key),
                        () -> store.read(key, 1),
                        () -> store.readInto(key, 0, ByteBuffer.allocate(1)),
                        () -> store.list(key.isEmpty() ? "/" : key, ""),
                        () -> store.delete(List.of(key)));

        for (Runnable call : calls) {
            assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void namesMayBeLong() {
        ObjectStore store = client();
        int most = abilities().contains(Ability.TAKES_LONGEST_NAMES) ? 255 : 200;
        String name = "n".repeat(most);
        assertDone(store.create(name + "/" + name, bytes("long")));

        assertThat(text(store.read(name + "/" + name, 4))).isEqualTo("long");
        assertThatThrownBy(() -> store.read("n".repeat(256), 4))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.read("n/".repeat(600) + "n", 4))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // Uploading

    @Test
    @Tag("STORE-7")
    void anUploadIsInvisibleUntilItIsComplete() {
        ObjectStore store = client();
        try (Upload upload = store.upload("data/part")) {
            upload.write(pattern(0, LARGE_BYTES));
            assertThat(store.read("data/part", LARGE_BYTES)).isInstanceOf(Fetched.Absent.class);
            if (abilities().contains(Ability.HIDES_UPLOADS)) {
                assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of()));
            }

            assertDone(upload.complete());
        }

        assertThat(store.list("data", "").objects())
                .containsExactly(new Listing.Item("data/part", LARGE_BYTES));
    }

    @Test
    void anUploadHoldsWhatManyWritesGaveIt() {
        ObjectStore store = client();
        ByteBuffer buffer = ByteBuffer.allocateDirect(1_000_003);
        try (Upload upload = store.upload("large")) {
            int written = 0;
            while (written < LARGE_BYTES) {
                int length = Math.min(buffer.capacity(), LARGE_BYTES - written);
                // The same buffer again: what the store has taken must not change with it.
                buffer.clear().put(pattern(written, length)).flip();
                upload.write(buffer);
                assertThat(buffer.hasRemaining()).isFalse();
                upload.write(ByteBuffer.allocate(0));
                written += length;
            }
            assertDone(upload.complete());
        }

        assertThat(body(store.read("large", LARGE_BYTES))).isEqualTo(pattern(0, LARGE_BYTES));
    }

    @Test
    void anUploadOfNothingIsAnEmptyObject() {
        ObjectStore store = client();
        try (Upload upload = store.upload("empty")) {
            assertDone(upload.complete());
        }

        assertThat(text(store.read("empty", 0))).isEmpty();
    }

    @Test
    void anAbandonedUploadLeavesNothing() {
        ObjectStore store = client();
        try (Upload upload = store.upload("data/part")) {
            upload.write(pattern(0, LARGE_BYTES));
        }

        assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of()));
        assertDone(store.create("data/part", bytes("another")));
    }

    @Test
    @Tag("STORE-1")
    @Tag("LAYOUT-3")
    void anUploadToAKeyThatExistsIsRefused() {
        ObjectStore store = client();
        try (Upload small = store.upload("small");
                Upload large = store.upload("large")) {
            small.write(bytes("second"));
            large.write(pattern(0, LARGE_BYTES));
            assertDone(client().create("small", bytes("first")));
            assertDone(client().create("large", bytes("first")));

            assertRefused(small.complete());
            assertRefused(large.complete());
        }

        assertThat(text(store.read("small", 100))).isEqualTo("first");
        assertThat(text(store.read("large", 100))).isEqualTo("first");
    }

    @Test
    void anUploadThatIsOverTakesNothing() {
        ObjectStore store = client();
        Upload upload = store.upload("once");
        upload.write(bytes("x"));
        assertDone(upload.complete());

        assertThatThrownBy(upload::complete).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> upload.write(bytes("y")))
                .isInstanceOf(InvalidRequestException.class);
        upload.close();
        upload.close();
        assertThatThrownBy(upload::complete).isInstanceOf(InvalidRequestException.class);

        assertThat(text(store.read("once", 1))).isEqualTo("x");
    }

    // Deleting

    @Test
    void deletedObjectsAreGoneAndDeletingThemAgainIsNoError() {
        ObjectStore store = client();
        store.create("a/1", bytes("x"));
        store.create("a/2", bytes("x"));
        store.create("b/1", bytes("x"));

        store.delete(List.of("a/1", "b/1", "never/was"));
        store.delete(List.of("a/1", "b/1", "never/was"));
        store.delete(List.of());

        assertThat(store.read("a/1", 1)).isInstanceOf(Fetched.Absent.class);
        assertThat(client().list("a", "").objects()).containsExactly(new Listing.Item("a/2", 1));
        assertThat(store.list("b", "").objects()).isEmpty();
    }

    @Test
    void aFolderOfObjectsCannotBeDeletedAsAnObject() {
        ObjectStore store = client();
        store.create("a/b/c", bytes("x"));

        store.delete(List.of("a", "a/b"));

        assertThat(text(store.read("a/b/c", 1))).isEqualTo("x");
    }

    @Test
    void aFolderGoesWithItsLastObject() {
        assumeTrue(abilities().contains(Ability.DROPS_EMPTY_FOLDERS));
        ObjectStore store = client();
        store.create("acks/job/7/0", bytes("x"));
        store.create("acks/job/7/1", bytes("x"));
        store.create("acks/job/8/0", bytes("x"));

        store.delete(List.of("acks/job/7/0"));
        assertThat(store.list("acks/job", "").folders()).containsExactly("7", "8");
        store.delete(List.of("acks/job/7/1"));
        assertThat(store.list("acks/job", "").folders()).containsExactly("8");
        store.delete(List.of("acks/job/8/0"));
        assertThat(store.list("", "").folders()).isEmpty();

        assertDone(store.create("acks/job/7/1", bytes("again")));
    }

    @Test
    void foldersThatComeAndGoKeepNobodyFromCreating() throws Exception {
        assumeTrue(abilities().contains(Ability.CREATES_WHILE_FOLDERS_GO));
        ObjectStore one = client();
        ObjectStore two = client();

        together(
                4,
                thread -> {
                    ObjectStore store = thread % 2 == 0 ? one : two;
                    for (int i = 0; i < 100; i++) {
                        String key = "x/y/z/%d-%d".formatted(thread, i);
                        assertDone(store.create(key, bytes("x")));
                        assertThat(text(store.read(key, 1))).isEqualTo("x");
                        store.delete(List.of(key));
                    }
                    return thread;
                });

        assertThat(one.list("x/y/z", "").objects()).isEmpty();
    }

    // Time

    @Test
    @Tag("STORE-5")
    void everyAnswerCarriesTheStoresTimeWhichDoesNotGoBack() {
        ObjectStore store = client();

        Instant created = ((Creation.Done) store.create("a", bytes("x"))).at();
        Instant refused = ((Creation.Refused) store.create("a", bytes("x"))).at();
        Instant found = ((Fetched.Found) store.read("a", 1)).at();
        Instant absent = ((Fetched.Absent) store.read("b", 1)).at();

        assertThat(List.of(created, refused, found, absent)).isSorted();
    }
}
