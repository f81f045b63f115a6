package io.batchweave.store.local;

import static io.batchweave.store.Bodies.body;
import static io.batchweave.store.Bodies.bytes;
import static io.batchweave.store.Bodies.pattern;
import static io.batchweave.store.Bodies.text;
import static io.batchweave.store.local.StoreProcessMain.BODY_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.store.Listing;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One store, several processes, some of which are killed. */
@Timeout(300)
class LocalStoreProcessesIT {
    @TempDir private Path root;
    private LocalStore store;

    @BeforeEach
    void openStore() {
        store = new LocalStore(root, World.real());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    @Tag("STORE-1")
    @Tag("STORE-6")
    void ofTwoProcessesThatCreateOneKeyExactlyOneWins() throws Exception {
        Map<String, Integer> wins = new HashMap<>();
        try (StoreProcess a = StoreProcess.start(root);
                StoreProcess b = StoreProcess.start(root)) {
            for (int i = 0; i < 1_000; i++) {
                String key = "log/%d/%d".formatted(i / 100, i);
                // Each is sometimes told first.
                StoreProcess first = i % 2 == 0 ? a : b;
                StoreProcess second = i % 2 == 0 ? b : a;
                first.tell("create " + key + " first");
                second.tell("create " + key + " second");
                List<String> outcomes = List.of(first.answer(), second.answer());

                assertThat(outcomes).as(key).containsExactlyInAnyOrder("Done", "Refused");
                String winner = outcomes.get(0).equals("Done") ? "first" : "second";
                assertThat(text(store.read(key, 100))).isEqualTo(winner);
                wins.merge(winner, 1, Integer::sum);
            }
        }
        // Else they did not race at all.
        assertThat(wins).containsOnlyKeys("first", "second");
    }

    @Test
    void whatAKilledProcessWasUploadingIsInvisibleAndRemovedByTheNextWriter() throws Exception {
        try (StoreProcess living = StoreProcess.start(root);
                StoreProcess killed = StoreProcess.start(root)) {
            assertThat(killed.ask("create data/0 whole")).isEqualTo("Done");
            for (int i = 1; i <= 5; i++) {
                assertThat(killed.ask("upload data/" + i)).isEqualTo("Uploading");
            }
            assertThat(living.ask("upload data/6")).isEqualTo("Uploading");
            killed.kill();
            assertThat(unfinished()).isEqualTo(6);

            assertThat(store.list("", "")).isEqualTo(new Listing(List.of(), List.of("data")));
            assertThat(store.list("data", "").objects())
                    .containsExactly(new Listing.Item("data/0", 5));
            store.create("next", bytes("x"));

            assertThat(unfinished()).as("of the living one").isEqualTo(1);
            assertThat(living.ask("complete data/6")).isEqualTo("Done");
            assertThat(body(store.read("data/6", BODY_BYTES))).isEqualTo(pattern(0, BODY_BYTES));
        }
    }

    @RepeatedTest(5)
    @Tag("STORE-7")
    void aProcessKilledAtAnyMomentLeavesOnlyWholeObjects() throws Exception {
        try (StoreProcess killed = StoreProcess.start(root)) {
            assertThat(killed.ask("churn data")).isEqualTo("Churning");
            while (objects().size() < 50) {
                killed.requireRunning();
            }
            killed.kill();
        }

        for (Listing.Item object : objects()) {
            assertThat(body(store.read(object.key(), BODY_BYTES)))
                    .isEqualTo(pattern(0, BODY_BYTES));
        }
        store.create("next", bytes("x"));
        assertThat(unfinished()).isZero();
        store.close();
        try (Stream<Path> left = Files.list(root.resolve(Staging.HOME))) {
            assertThat(left).isEmpty();
        }
    }

    private List<Listing.Item> objects() {
        return store.list("data", "").folders().stream()
                .flatMap(folder -> store.list("data/" + folder, "").objects().stream())
                .toList();
    }

    /** Files that have not got a key yet. */
    private long unfinished() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(Staging.HOME))) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9]+")).count();
        }
    }
}
