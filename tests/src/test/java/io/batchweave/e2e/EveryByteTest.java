package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.verify.Finding;
import io.batchweave.cli.verify.Report;
import io.batchweave.cli.verify.Verifier;
import io.batchweave.model.DatasetName;
import io.batchweave.store.MemoryStore;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verify knows every byte: whatever happens to any object, it is noticed and the object named. */
class EveryByteTest {
    @TempDir private static Path folder;
    private static final BufferAllocator ALLOCATOR = new RootAllocator();
    private static Objects objects;
    private static MemoryStore whole;
    private static List<String> keys;

    @BeforeAll
    static void publish() throws Exception {
        Cli cli = new Cli(folder.resolve("warehouse"));
        Path text = Files.writeString(folder.resolve("a.txt"), "A few words that fill a step.");
        cli.create("t.x", "dp=2");
        cli.run("ingest", "t.x", text.toString(), "--producer", "p", "--seq-len", "5").succeeded();
        objects = new Objects(cli.warehouse());
        whole = objects.inMemory("t/x");
        keys = objects.keys("t/x");
    }

    @AfterAll
    static void closeAllocator() {
        ALLOCATOR.close();
    }

    @Test
    void aWholeDatasetIsClean() {
        Report report = verify(whole);

        assertThat(report.findings()).isEmpty();
        assertThat(report.steps()).isEqualTo(1);
        assertThat(report.commits() + report.steps()).isEqualTo(keys.size());
    }

    @Test
    @Tag("CODEC-2")
    @Tag("PAYLOAD-7")
    void aFlippedBitInAnyByteIsFound() {
        for (String key : keys) {
            byte[] object = objects.read(key);
            for (int position = 0; position < object.length; position++) {
                assertFound(key, Damage.flipped(object, position), "flipped at " + position);
            }
        }
    }

    @Test
    @Tag("STORE-8")
    void anObjectThatEndsEarlyIsFound() {
        for (String key : keys) {
            byte[] object = objects.read(key);
            for (int length = 0; length < object.length; length += 17) {
                assertFound(key, Damage.truncated(object, length), "cut to " + length);
            }
            assertFound(key, Damage.truncated(object, object.length - 1), "cut by one");
        }
    }

    @Test
    void anObjectThatGoesOnBehindItsEndIsFound() {
        for (String key : keys) {
            for (int more = 1; more < 100; more++) {
                assertFound(key, Damage.extended(objects.read(key), more), more + " bytes more");
            }
        }
    }

    @Test
    @Tag("READ-2")
    void aMissingObjectIsFound() {
        // Nothing tells that a log once went on: its end is where the next commit goes.
        assertThat(keys.get(keys.size() - 1)).contains("/log/");
        for (String key : keys.subList(0, keys.size() - 1)) {
            MemoryStore damaged = whole.copy();
            damaged.delete(List.of(key));
            assertThat(verify(damaged).findings())
                    .as(key)
                    .extracting(Finding::object)
                    .contains(key);
        }
    }

    private static void assertFound(String key, byte[] damagedBody, String how) {
        MemoryStore damaged = whole.copy();
        damaged.delete(List.of(key));
        damaged.create(key, ByteBuffer.wrap(damagedBody));
        assertThat(verify(damaged).findings())
                .as("%s %s", key, how)
                .extracting(Finding::object)
                .containsExactly(key);
    }

    private static Report verify(MemoryStore store) {
        return new Verifier(store, new DatasetName("t", "x"), ALLOCATOR, steps -> {}).verify();
    }
}
