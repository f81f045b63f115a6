package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job may not say, what it is told, and that nothing changes. */
class BadJobTest {
    @TempDir private static Path folder;
    private static Trained t;
    private static JsonNode before;
    private static List<JsonNode> lines;

    @BeforeAll
    static void train() throws IOException {
        t = Trained.of(folder, 12);
        t.ran("attach", "j", "--keep", "2");
        t.ran("session", "j", "--id", "s");
        lines = t.read("j", "s", "--steps", "10");
        t.checkpoint("j", lines.get(3), "a");
        t.checkpoint("j", lines.get(7), "b");
        t.ran("session", "j", "--id", "t");
        t.ran("attach", "gone");
        t.ran("detach", "gone");
        before = t.cli().status("t.x");
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refused(
                        2,
                        "it never attached; attach it first",
                        "checkpoint",
                        "none",
                        "--step",
                        "1"),
                refused(2, "it never attached", "session", "none", "--id", "s"),
                refused(2, "it never attached", "release", "none", "--id", "c"),
                refused(2, "it never attached", "detach", "none"),
                refused(4, "it was detached; attach it again", "session", "gone", "--id", "s"),
                refused(4, "it was detached; attach it again", "checkpoint", "gone", "--step", "1"),
                refused(
                        2,
                        "checkpoint step-5 of job j at step 5 lies behind checkpoint b at step 8; say"
                                + " that it is a rollback",
                        "checkpoint",
                        "j",
                        "--step",
                        "5"),
                refused(
                        2,
                        "lies behind all that the job still pins, from checkpoint a at step 4 on",
                        "checkpoint",
                        "j",
                        "--step",
                        "3",
                        "--rollback"),
                refused(
                        2,
                        "Cannot roll back job j of t.x: checkpoint a at step 4 is there already, and"
                                + " the job is at checkpoint b at step 8; start a session at it",
                        "checkpoint",
                        "j",
                        "--step",
                        "4",
                        "--id",
                        "a",
                        "--rollback"),
                refused(2, "which is 12 steps", "checkpoint", "j", "--step", "13"),
                refused(2, "name --step or --cursor", "checkpoint", "j"),
                refused(2, "Invalid --step -1", "checkpoint", "j", "--step", "-1"),
                refused(
                        4,
                        "session s of job j is not its latest: it is in session t",
                        "checkpoint",
                        "j",
                        "--step",
                        "9",
                        "--session",
                        "s"),
                refused(4, "it is in session t", "session", "j", "--id", "s"),
                refused(
                        2,
                        "session t of job j started at checkpoint b at step 8, and not at checkpoint a",
                        "session",
                        "j",
                        "--id",
                        "t",
                        "--at",
                        "a"),
                refused(
                        2,
                        "job j keeps no checkpoint c; it keeps a, b",
                        "session",
                        "j",
                        "--id",
                        "u",
                        "--at",
                        "c"),
                refused(2, "job j would start at checkpoint b", "release", "j", "--id", "b"),
                refused(2, "Invalid rank '4': write RANK/SIZE", rank("4")),
                refused(2, "ranks count from 0", rank("4/4")),
                refused(2, "Invalid name of a job '../j'", "attach", "../j"),
                refused(2, "Invalid name of a job 'a/b'", "attach", "a/b"),
                refused(2, "Invalid name of a session 's/t'", "session", "j", "--id", "s/t"),
                refused(2, "Invalid name of a checkpoint '..'", checkpoint("..")),
                refused(2, "Invalid --at -1", "attach", "k", "--at", "-1"),
                refused(
                        2,
                        "steps count from 0 and end before 9223372036854775807",
                        "attach",
                        "k",
                        "--at",
                        "9223372036854775807"),
                refused(2, "and keeps 2 checkpoints", "attach", "j", "--keep", "3"),
                refused(
                        2,
                        "'9999999999' is no whole number",
                        "attach",
                        "k",
                        "--keep",
                        "9999999999"),
                refused(2, "it keeps 0 checkpoints; use 1 to 1024", "attach", "k", "--keep", "0"),
                alone(
                        "steps 3..9 begin behind checkpoint a at step 4 of job j, and no job can start"
                                + " before it: its model has seen them",
                        "skip",
                        "t.x",
                        "--steps",
                        "3..9",
                        "--reason",
                        "r"),
                alone("write FIRST..LAST", "skip", "t.x", "--steps", "a", "--reason", "r"),
                alone("Invalid steps 9..3", "skip", "t.x", "--steps", "9..3", "--reason", "r"),
                alone("a reason of 0 bytes", "skip", "t.x", "--steps", "9", "--reason", ""),
                alone("missing required option: '--reason", "skip", "t.x", "--steps", "9"),
                alone("write KEY=VALUE", "alter", "t.x", "max-lead"),
                alone("there is no such setting; use", "alter", "t.x", "color=red"),
                alone("it is fixed when a dataset is created", "alter", "t.x", "grid=dp=4"),
                alone("'x' is no whole number", "alter", "t.x", "max-lead=x"),
                alone("Invalid max-lead of -1", "alter", "t.x", "max-lead=-1"),
                alone("use checkpoints or forever", "alter", "t.x", "retention=never"),
                alone("'5' is no duration", "alter", "t.x", "keep-for=5"),
                alone("each once", "alter", "t.x", "keep-steps=5", "keep-steps=6"),
                alone("name both --job and --session", "read", "t.x", "--job", "j"),
                alone("Cannot use --from in a session", read("t", "--from", "1")),
                alone("it has not started; the latest is t", read("u")),
                alone("no job ever made it", "prove", "t.x", "--checkpoint", "c"));
    }

    private static String[] rank(String rank) {
        return new String[] {"checkpoint", "j", "--step", "9", "--rank", rank};
    }

    private static String[] checkpoint(String id) {
        return new String[] {"checkpoint", "j", "--step", "9", "--id", id};
    }

    private static String[] read(String session, String... more) {
        return Cli.joined(new String[] {"read", "t.x", "--job", "j", "--session", session}, more);
    }

    /** A command of a job. */
    private static Arguments refused(int code, String why, String... command) {
        String[] whole = Cli.joined(new String[] {command[0], "t.x"}, tail(command));
        return Arguments.of(code, why, List.of(whole));
    }

    private static String[] tail(String... command) {
        return Stream.of(command).skip(1).toArray(String[]::new);
    }

    private static Arguments alone(String why, String... command) {
        return Arguments.of(2, why, List.of(command));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatMakesNoSenseIsRefusedAndChangesNothing(int code, String why, List<String> command) {
        Ran ran = t.cli().run(command.toArray(String[]::new));

        assertThat(ran.refused(code)).contains(why);
        assertThat(ran.out()).isEmpty();
        assertThat(t.cli().status("t.x")).isEqualTo(before);
    }

    @Test
    void rankWithTheCursorOfAnotherPlaceIsRefusedWithBothReceipts() {
        String cursor = lines.get(8).get("cursor").asText();

        Ran ran = t.cli().run(read("t", "--cursor", cursor));

        assertThat(ran.refused(2))
                .contains(
                        "the cursor's receipt is " + lines.get(8).get("receipt").asText(),
                        "session t of job j starts at checkpoint b at step 8, with "
                                + lines.get(7).get("receipt").asText());
    }

    @Test
    void rankWhoseReceiptIsNotTheLogsIsRefusedWithBoth() {
        String cursor = lines.get(8).get("cursor").asText();
        String receipt = lines.get(8).get("receipt").asText();
        String other = receipt.replace(receipt.charAt(0), receipt.charAt(0) == 'a' ? 'b' : 'a');
        String ofOther = cursor.replace(receipt, other).replace(":j:s", ":j:t");

        assertThat(t.refused(2, "checkpoint", "j", "--cursor", ofOther))
                .contains("its receipt is " + other, "up to step 9 has " + receipt);
        assertThat(t.cli().run(read("t", "--cursor", ofOther)).refused(2))
                .contains("the cursor's receipt is " + other, "the log's is " + receipt);
    }
}
