package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that are full or read-only: a clear line, nothing lost, and a rerun completes. */
class DisksIT {
    private static final int UNAVAILABLE = 3;
    private static final int INVALID = 2;

    @TempDir private Path folder;
    private Corpus corpus;
    private Map<Long, Map<Integer, String>> calm;

    @BeforeEach
    void ingestInPeace() {
        corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 500);
        Cli cli = new Cli(folder.resolve("calm"));
        cli.create("t.x", "dp=2");
        cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
        calm = cli.digests("t.x");
    }

    /** From a disk without room for a commit to one that lacks little. */
    @ParameterizedTest
    @ValueSource(strings = {"48k", "96k", "160k", "240k"})
    void aFullDiskIsAClearErrorAndWithRoomTheIngestGoesOn(String size) {
        try (SmallDisk disk = SmallDisk.of(folder.resolve("disk"), size)) {
            Cli cli = new Cli(disk.folder());
            cli.create("t.x", "dp=2");

            assertThat(cli.run(corpus.ingest("t.x", "p0", "--seal")).refused(UNAVAILABLE))
                    // Of payload or of a commit, whichever came first to the end of the room.
                    .startsWith("batchweave: Cannot ")
                    .contains("Cannot create t/x/", ": No space left on device");
            cli.verifyIsClean("t.x");

            disk.remount("size=4m");
            cli.run(corpus.ingest("t.x", "p0", "--seal")).succeeded();
            assertThat(cli.digests("t.x")).isEqualTo(calm);
            cli.verifyIsClean("t.x");
        }
    }

    @Test
    void aDiskWithoutRoomForADatasetIsAClearError() {
        try (SmallDisk disk = SmallDisk.of(folder.resolve("disk"), "4k")) {
            Cli cli = new Cli(disk.folder());

            Ran ran = cli.run("create", "t.x", "--tokens", "--grid", "dp=2");

            assertThat(ran.refused(UNAVAILABLE)).contains("No space left on device");
            assertThat(cli.run("status", "t.x").refused(2)).contains("there is none");
        }
    }

    @Test
    void aReadOnlyWarehouseIsReadAndNotWritten() throws Exception {
        try (SmallDisk disk = SmallDisk.of(folder.resolve("disk"), "4m")) {
            Cli cli = new Cli(disk.folder());
            cli.create("t.x", "dp=2");
            cli.run(corpus.ingest("t.x", "p0", "--rate", "1000")).succeeded();
            Files.writeString(folder.resolve("more.txt"), "more text");
            disk.remount("ro");

            assertThat(cli.digests("t.x", "--steps", Long.toString(cli.steps("t.x"))))
                    .isEqualTo(calm);
            cli.verifyIsClean("t.x");
            assertReadOnly(cli.run("create", "t.y", "--tokens", "--grid", "dp=2"));
            assertReadOnly(cli.run("seal", "t.x"));
            assertReadOnly(
                    cli.run(
                            "ingest",
                            "t.x",
                            folder.resolve("more.txt").toString(),
                            "--producer",
                            "p1"));

            disk.remount("rw");
            cli.run("seal", "t.x").succeeded();
        }
    }

    private static void assertReadOnly(Ran ran) {
        assertThat(ran.refused(INVALID)).contains("Read-only file system");
    }
}
