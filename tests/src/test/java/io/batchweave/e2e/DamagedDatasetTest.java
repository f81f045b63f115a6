package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage, as somebody meets it at the command line: never data, always the object's name. */
class DamagedDatasetTest {
    private static final int CORRUPT = 5;
    private static final List<String> LOG_READERS = List.of("status", "log", "steps", "read");

    @TempDir private Path folder;
    private Cli cli;
    private Objects objects;
    private List<String> commits;
    private List<String> payload;

    @BeforeEach
    void publish() throws Exception {
        cli = new Cli(folder.resolve("warehouse"));
        Path text = Files.writeString(folder.resolve("a.txt"), "one two three four five six seven");
        cli.create("t.x", "dp=2");
        cli.run("ingest", "t.x", text.toString(), "--producer", "p", "--seq-len", "1", "--seal")
                .succeeded();
        assertThat(cli.steps("t.x")).isEqualTo(4);
        objects = new Objects(cli.warehouse());
        commits = objects.keys("t/x/log");
        payload = objects.keys("t/x/data");
    }

    @Test
    void aDamagedCommitIsNamedByWhoeverReadsTheLog() {
        String damaged = commits.get(commits.size() / 2);
        objects.change(damaged, bytes -> Damage.flipped(bytes, bytes.length / 2));

        assertVerifyNames(damaged);
        for (String command : LOG_READERS) {
            assertThat(cli.run(command, "t.x").refused(CORRUPT)).as(command).contains(damaged);
        }
        assertThat(cli.run("seal", "t.x").refused(CORRUPT)).contains(damaged);
    }

    @Test
    void aTruncatedCommitIsNamedByWhoeverReadsTheLog() {
        String damaged = commits.get(0);
        objects.change(damaged, bytes -> Damage.truncated(bytes, bytes.length - 20));

        assertVerifyNames(damaged);
        for (String command : LOG_READERS) {
            assertThat(cli.run(command, "t.x").refused(CORRUPT)).as(command).contains(damaged);
        }
    }

    @Test
    void aCommitMissingFromTheMiddleIsNamed() {
        String missing = commits.get(2);
        objects.delete(missing);

        assertVerifyNames(missing);
    }

    @Test
    void aMissingFirstCommitIsNamedAndNotCreatedAnew() {
        objects.delete(commits.get(0));

        assertVerifyNames(commits.get(0));
        assertThat(cli.run("status", "t.x").refused(CORRUPT)).contains("is missing");
        assertThat(cli.run("create", "t.x", "--tokens", "--grid", "dp=2").refused(CORRUPT))
                .contains("is missing");
    }

    @Test
    void commitsInEachOthersPlacesAreNamed() {
        String second = commits.get(2);
        byte[] third = objects.read(commits.get(3));
        byte[] moved = objects.read(second);
        objects.change(second, bytes -> third);
        objects.change(commits.get(3), bytes -> moved);

        Ran verified = cli.run("verify", "t.x");
        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out()).contains(second).contains("out of place");
    }

    @Test
    void whatIsNoCommitInTheLogIsNamed() throws Exception {
        Files.copy(
                cli.warehouse().resolve(commits.get(1)),
                cli.warehouse().resolve("t/x/log/00000000000000000000/notes.txt"));

        assertVerifyNames("t/x/log/00000000000000000000/notes.txt");
        cli.digests("t.x");
    }

    @Test
    @Tag("READ-2")
    void aFlippedBitInASliceIsReadByNobody() {
        String damaged = payload.get(2);
        objects.change(damaged, bytes -> Damage.flipped(bytes, bytes.length / 2));

        assertVerifyNames(damaged);
        Ran read = cli.run("read", "t.x");
        assertThat(read.refused(CORRUPT)).contains(damaged);
        assertThat(read.out()).hasLineCount(2);
        assertThat(cli.run("read", "t.x", "--from", "3").succeeded().out()).hasLineCount(1);
    }

    @Test
    @Tag("READ-2")
    void aMissingPayloadObjectIsNamed() {
        String missing = payload.get(1);
        objects.delete(missing);

        assertVerifyNames(missing);
        Ran read = cli.run("read", "t.x", "--json");
        assertThat(read.refused(CORRUPT)).contains(missing, "is not there");
        assertThat(read.json()).hasSize(1);
    }

    @Test
    @Tag("READ-2")
    void aTruncatedPayloadObjectIsNamed() {
        String damaged = payload.get(0);
        objects.change(damaged, bytes -> Damage.truncated(bytes, bytes.length / 2));

        assertVerifyNames(damaged);
        assertThat(cli.run("read", "t.x").refused(CORRUPT)).contains(damaged);
    }

    @Test
    void bytesBehindTheEndOfAnObjectAreFoundThoughNobodyReadsThem() {
        for (String extended : List.of(payload.get(3), commits.get(3))) {
            byte[] before = objects.read(extended);
            objects.change(extended, bytes -> Damage.extended(bytes, 1));
            assertVerifyNames(extended);
            objects.change(extended, bytes -> before);
        }
        cli.verifyIsClean("t.x");
    }

    @Test
    @Tag("LOG-9")
    void aFeatureThatEverybodyMustKnowIsNamedAndNobodyGoesOn() {
        objects.change(
                commits.get(0), bytes -> ForeignCommit.requiring(bytes, "braids", "EVERYONE"));

        for (String command : List.of("status", "log", "steps", "read", "verify", "seal")) {
            assertThat(cli.run(command, "t.x").refused(7))
                    .as(command)
                    .contains("requires the feature 'braids'", "upgrade BatchWeave");
        }
    }

    @Test
    @Tag("LOG-9")
    void aFeatureThatWritersMustKnowKeepsWritersOutAndReadersReading() {
        objects.change(
                commits.get(0), bytes -> ForeignCommit.requiring(bytes, "braids", "WRITERS"));
        cli.verifyIsClean("t.x");
        assertThat(cli.digests("t.x")).hasSize(4);
        objects.delete(commits.get(commits.size() - 1));

        assertThat(cli.run("seal", "t.x").refused(7))
                .contains("writers must know the feature 'braids'", "upgrade BatchWeave");
    }

    private void assertVerifyNames(String object) {
        Ran text = cli.run("verify", "t.x");
        assertThat(text.code()).isEqualTo(1);
        assertThat(text.out().lines().toList().get(0)).startsWith("wrong: ").contains(object);
        assertThat(text.err()).isEmpty();

        Ran json = cli.run("verify", "t.x", "--json");
        assertThat(json.code()).isEqualTo(1);
        JsonNode report = json.json().get(0);
        assertThat(report.get("clean").asBoolean()).isFalse();
        assertThat(report.get("findings")).hasSize(1);
        assertThat(report.at("/findings/0/object").asText()).isEqualTo(object);
    }
}
