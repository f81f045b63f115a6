package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What makes no sense is refused in one line that says why, and changes nothing. */
class BadRequestTest {
    private static final String NAMES = "use 1 to 128 letters, digits, '_'";

    @TempDir private static Path folder;
    private static Cli cli;
    private static JsonNode before;

    @BeforeAll
    static void publishAStep() throws Exception {
        cli = new Cli(folder.resolve("ware house"));
        Files.writeString(folder.resolve("a.txt"), "some text");
        Files.createFile(folder.resolve("empty.jsonl"));
        cli.create("t.x", "dp=8");
        ingest(folder.resolve("a.txt"), "--producer", "p0", "--seq-len", "16", "--seal")
                .succeeded();
        before = cli.status("t.x");
    }

    static Stream<Arguments> badRequests() {
        return Stream.of(
                refused("there is no such command", "frobnicate"),
                refused("unknown option: '--frobnicate'", "status", "t.x", "--frobnicate"),
                refused("missing required option", "create", "t.y", "--tokens"),
                refused("unmatched argument at index 2: 'more'", "status", "t.x", "more"),
                refused("name --tokens", "create", "t.y", "--grid", "dp=8"),
                refused("Invalid size 0 of axis dp: must be at least 1", grid("dp=0")),
                refused("Invalid size -8 of axis dp", grid("dp=-8")),
                refused("more than 65536 slices", grid("dp=1000000000")),
                refused("more than 65536 slices", grid("dp=65536,cp=65536")),
                refused("write AXIS=SIZE", grid("dp=99999999999")),
                refused("write AXIS=SIZE", grid("8")),
                refused("write AXIS=SIZE", grid("")),
                refused("axis dp is named twice", grid("dp=2,dp=2")),
                refused("write NAMESPACE.NAME", create("x")),
                refused(NAMES, create("..")),
                refused(NAMES, create("../x.y")),
                refused(NAMES, create("t..x")),
                refused(NAMES, create("t/x.y")),
                refused(NAMES, create("t.x/y")),
                refused(NAMES, create("t.x y")),
                refused("'x\\u000ay'", create("t.x\ny")),
                refused("'x\\u001b[31my'", create("t.x\u001b[31my")),
                refused("'x\\u0000y'", create("t.x\0y")),
                refused(NAMES, create("t." + "x".repeat(129))),
                refused("belong to its views", create("t.x_steps")),
                refused("it exists; choose another name", create("t.x")),
                refused("Invalid name of a producer 'a b'", create("t.y", "--producers", "a b")),
                refused("producer a is named twice", create("t.y", "--producers", "a,a")),
                refused("there is none; create it", "status", "t.none"),
                refused("there is none; create it", "seal", "t.none"),
                refused("there is none; create it", "log", "t.none"),
                refused("there is none; create it", "steps", "t.none"),
                refused("there is none; create it", "read", "t.none"),
                refused("there is no such dataset", "verify", "t.none"),
                refused("does not divide axis dp=8; legal sizes are 1, 2, 4, 8", mesh("dp=0/3")),
                refused("does not divide axis dp=8; legal sizes are 1, 2, 4, 8", mesh("dp=0/0")),
                refused("does not divide axis dp=8; legal sizes are 1, 2, 4, 8", mesh("dp=0/16")),
                refused("rank 8 is outside 0..7 of axis dp", mesh("dp=8/8")),
                refused("rank -1 is outside 0..7 of axis dp", mesh("dp=-1/8")),
                refused("the grid dp=8 has no axis 'tp'", mesh("tp=0/2")),
                refused("write AXIS=RANK/SIZE", mesh("dp=1")),
                refused("axis dp is named twice", mesh("dp=0/2,dp=1/2")),
                refused("Invalid --from -1", "read", "t.x", "--from", "-1"),
                refused("it was sealed after 1 steps", "read", "t.x", "--from", "2"),
                refused("Invalid --steps -1", "read", "t.x", "--steps", "-1"),
                refused("'1e3' is no whole number", "read", "t.x", "--steps", "1e3"),
                refused("such as 500ms, 30s, 5m, 2h or 7d", "read", "t.x", "--wait", "5"),
                refused("a cursor is DATASET_ID:STEP:RECEIPT", "read", "t.x", "--cursor", "x:y"),
                refused("name one place", "read", "t.x", "--cursor", "x:1:00", "--from", "1"),
                refused("name one of them", "read", "t.x", "--arrow", "--json"),
                refused("Invalid --from -1", "log", "t.x", "--from", "-1"),
                refused("Invalid --from -1", "steps", "t.x", "--from", "-1"));
    }

    private static Arguments refused(String why, String... arguments) {
        return Arguments.of(List.of(arguments), why);
    }

    private static String[] create(String dataset, String... more) {
        return Stream.concat(
                        Stream.of("create", dataset, "--tokens", "--grid", "dp=8"),
                        Arrays.stream(more))
                .toArray(String[]::new);
    }

    private static String[] grid(String grid) {
        return new String[] {"create", "t.y", "--tokens", "--grid", grid};
    }

    private static String[] mesh(String mesh) {
        return new String[] {"read", "t.x", "--mesh", mesh};
    }

    @ParameterizedTest
    @MethodSource("badRequests")
    void whatMakesNoSenseIsRefused(List<String> arguments, String why) {
        Ran ran = cli.run(arguments.toArray(String[]::new));

        assertThat(ran.refused(2)).contains(why);
        assertThat(ran.out()).isEmpty();
        assertNothingChanged();
    }

    @Test
    void anIngestThatMakesNoSenseIsRefused() {
        Path text = folder.resolve("a.txt");
        assertRefused("missing required option: '--producer=ID'", ingest(text));
        assertRefused("Invalid name of a producer '../p'", ingest(text, "--producer", "../p"));
        assertRefused(
                "there is no such tokenizer; choose one of r50k_base",
                ingest(text, "--producer", "p1", "--tokenizer", "none"));
        assertRefused(
                "Invalid shape of a slice", ingest(text, "--producer", "p1", "--seq-len", "0"));
        assertRefused(
                "Invalid shape of a slice",
                ingest(text, "--producer", "p1", "--rows-per-slice", "-1"));
        assertRefused("Invalid --rate 0.0", ingest(text, "--producer", "p1", "--rate", "0"));
        assertRefused("Invalid --rate NaN", ingest(text, "--producer", "p1", "--rate", "NaN"));
        assertRefused(
                "--seq-len was 16 for what is committed and is 32 now",
                ingest(text, "--producer", "p0", "--seq-len", "32"));
        assertRefused(
                "there is no such file or folder",
                ingest(folder.resolve("none"), "--producer", "p1"));
        assertRefused(
                "b\\u000ac: there is no such file",
                ingest(folder.resolve("b\nc"), "--producer", "p1"));
        assertRefused(
                "there is no document in them",
                ingest(folder.resolve("empty.jsonl"), "--field", "t", "--producer", "p1"));
        assertRefused(
                "without --field: name the fields",
                ingest(folder.resolve("empty.jsonl"), "--producer", "p1"));
    }

    @Test
    void aWarehouseThatMakesNoSenseIsRefused() {
        assertThat(status("").refused(2)).contains("give --warehouse a folder or a URI");
        assertThat(status("nothing://here").refused(2)).contains("of scheme 'nothing'");
        assertThat(status("file://a b").refused(2)).contains("its URI is malformed");
        assertThat(status(folder.resolve("none").toString()).refused(3))
                .contains("its root folder does not exist; create it, or mount it");
    }

    private static Ran status(String warehouse) {
        return Cli.runAlone(Cli.at(warehouse, "status", "t.x"));
    }

    @Test
    void aStepThatNobodyPublishesIsWaitedForAndThenGivenUp() {
        cli.create("t.open", "dp=8");

        Ran ran = cli.run("read", "t.open", "--wait", "1ms");

        assertThat(ran.refused(3)).contains("Cannot read step 0", "no producer has opened yet");
    }

    private static Ran ingest(Path input, String... more) {
        return cli.run(
                Stream.concat(Stream.of("ingest", "t.x", input.toString()), Arrays.stream(more))
                        .toArray(String[]::new));
    }

    private void assertRefused(String why, Ran ran) {
        assertThat(ran.refused(2)).contains(why);
        assertNothingChanged();
    }

    private void assertNothingChanged() {
        assertThat(cli.status("t.x")).isEqualTo(before);
        assertThat(cli.warehouse().resolve("t")).isDirectoryContaining("glob:**/x");
        assertThat(cli.run("status", "t.y").code()).isEqualTo(2);
    }
}
