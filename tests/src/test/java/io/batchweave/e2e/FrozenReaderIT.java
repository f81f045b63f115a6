package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.e2e.HaltingStore.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader is stopped. The log is trimmed past all that it knows, and then it goes on. */
class FrozenReaderIT {
    @TempDir private Path folder;
    private Cli cli;
    private Meanwhile others;

    @BeforeEach
    void age() {
        cli = Aged.in(folder.resolve("warehouse"));
        others = new Meanwhile(cli.warehouse());
    }

    @AfterEach
    void close() {
        others.close();
    }

    /**
     * What its job pins is there. At the version that it looks for, somebody who slept too has
     * created a commit that no State has.
     */
    @Test
    @Tag("TRIM-5")
    @Tag("TRIM-6")
    void whatIsPinnedIsReadAsIfNothingHadHappened() throws Exception {
        cli.run("session", Aged.NAME, "j", "--id", "third").succeeded();
        String[] read = {"read", Aged.NAME, "--job", "j", "--session", "third", "--json"};
        String[] all = Cli.joined(read, "--steps", "170");
        long head = others.log().state().version();

        try (CliProcess producer = frozen(Moment.BEFORE_COMMIT, 1, ingest());
                CliProcess reader = frozen(Moment.BEFORE_PAYLOAD_READ, 3, all)) {
            others.publish();
            others.sweep();
            assertThat(others.trimmedTo()).isGreaterThan(head);
            goesOn(producer).succeeded();
            assertThat(others.reborn()).hasSize(1);

            assertThat(goesOn(reader).succeeded()).isEqualTo(cli.run(all));
        }
        cli.verifyIsClean(Aged.NAME);
    }

    @Test
    @Tag("READ-6")
    void whatIsNotPinnedIsExpired() throws Exception {
        String[] read = {"read", Aged.NAME, "--from", "1000", "--json"};
        List<String> undisturbed =
                cli.run(Cli.joined(read, "--steps", "150")).out().lines().toList();

        try (CliProcess reader = frozen(Moment.BEFORE_PAYLOAD_READ, 3, read)) {
            others.publish();
            others.trainToTheEnd();
            others.sweep();
            Ran ran = goesOn(reader);

            assertThat(ran.refused(8))
                    .contains("its payload is swept; the first step that is kept is 1270");
            List<String> lines = ran.out().lines().toList();
            assertThat(lines).hasSizeLessThan(10).isEqualTo(undisturbed.subList(0, lines.size()));
        }
    }

    private CliProcess frozen(Moment moment, int nth, String... command) {
        String uri = HaltingStore.freezingUri(cli.warehouse(), moment, nth);
        CliProcess frozen = CliProcess.start(folder, Cli.at(uri, command));
        frozen.await("stop", frozen::isStopped);
        return frozen;
    }

    private static Ran goesOn(CliProcess frozen) throws Exception {
        frozen.signal("CONT");
        return frozen.end();
    }

    private String[] ingest() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), Aged.rows(1));
        String[] ingest = {"ingest", Aged.NAME, rows.toString(), "--producer", "s"};
        return Cli.joined(ingest, "--rows-per-slice", "1");
    }
}
