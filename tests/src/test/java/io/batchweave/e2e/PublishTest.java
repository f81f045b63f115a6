package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.cli.Main;
import io.batchweave.e2e.PipedBatches.Requests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program that pipes batches into {@code publish} is told, and what becomes of them. */
class PublishTest {
    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void create() {
        cli = new Cli(folder.resolve("warehouse"));
        for (String dataset : List.of("t.x", "t.calm")) {
            cli.run("create", dataset, "--schema", PipedBatches.COLUMNS, "--grid", "dp=4")
                    .succeeded();
        }
    }

    private Ran publish(String dataset, Requests requests) {
        return publish(dataset, PipedBatches.bytes(requests));
    }

    private Ran publish(String dataset, byte[] input) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] command =
                Cli.at(cli.warehouse().toString(), "publish", dataset, "--producer", "p0");
        int code = Main.run(new ByteArrayInputStream(input), out, err, command);
        return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    private static List<String> fields(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void theFirstLineTellsWhereTheProducerStands() throws IOException {
        JsonNode ok = publish("t.x", out -> {}).succeeded().json().get(0).get("ok");

        assertThat(fields(ok))
                .containsExactly(
                        "protocol",
                        "dataset",
                        "producer",
                        "epoch",
                        "next_sequence",
                        "progress",
                        "finished",
                        "grid",
                        "slices",
                        "schema");
        assertThat(ok.get("epoch").asLong()).isEqualTo(1);
        assertThat(ok.get("progress").asText()).isEmpty();
        assertThat(ok.get("grid").asText()).isEqualTo("dp=4");
        byte[] message = Base64.getDecoder().decode(ok.get("schema").asText());
        Schema schema =
                MessageSerializer.deserializeSchema(
                        new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message))));
        assertThat(schema.getFields()).extracting(Field::getName).containsExactly("id", "text");
    }

    @Test
    @Tag("PRODUCE-2")
    void everyBatchIsAStepAndARestartGoesOnBehindIt() {
        List<JsonNode> first =
                publish(
                                "t.x",
                                out -> {
                                    PipedBatches.publish(out, 0);
                                    PipedBatches.publish(out, 1);
                                })
                        .succeeded()
                        .json();
        JsonNode again =
                publish("t.x", out -> PipedBatches.publish(out, 2)).succeeded().json().get(0);

        assertThat(first).hasSize(3);
        assertThat(first.get(2).at("/ok/sequence").asLong()).isEqualTo(1);
        assertThat(again.at("/ok/progress").asText()).isEqualTo(PipedBatches.progress(2));
        assertThat(again.at("/ok/next_sequence").asLong()).isEqualTo(2);
        assertThat(cli.steps("t.x")).isEqualTo(3);
        assertThat(cli.status("t.x").at("/counts/rows").asLong()).isEqualTo(6 + 10 + 14);
        cli.verifyIsClean("t.x");
    }

    @Test
    void eachBatchIsToldOnceWithItsStep() {
        List<JsonNode> replies =
                publish(
                                "t.x",
                                out -> {
                                    PipedBatches.publish(out, 0);
                                    PipedBatches.publish(out, 1);
                                    PipedBatches.line(out, "{\"do\":\"flush\"}");
                                    PipedBatches.publish(out, 2);
                                    PipedBatches.line(out, "{\"do\":\"seal\"}");
                                })
                        .succeeded()
                        .json();

        List<String> told = new ArrayList<>();
        for (JsonNode reply : replies) {
            reply.at("/ok/committed").forEach(each -> told.add(each.toString()));
        }
        assertThat(told)
                .containsExactly(
                        "{\"sequence\":0,\"step\":0}",
                        "{\"sequence\":1,\"step\":1}",
                        "{\"sequence\":2,\"step\":2}");
        assertThat(fields(replies.get(3).get("ok"))).containsExactly("committed", "next_sequence");
        assertThat(replies.get(3).at("/ok/next_sequence").asLong()).isEqualTo(2);
        assertThat(replies.get(5).at("/ok/steps").asLong()).isEqualTo(3);
        assertThat(cli.status("t.x").get("phase").asText()).isEqualTo("sealed");
    }

    @Test
    void aProducerThatHasFinishedMayBeToldSoAgain() {
        Requests end =
                out -> {
                    PipedBatches.line(out, "{\"do\":\"finish\"}");
                    PipedBatches.line(out, "{\"do\":\"finish\"}");
                };
        publish("t.x", out -> PipedBatches.publish(out, 0)).succeeded();
        publish("t.x", end).succeeded();
        long version = cli.status("t.x").get("version").asLong();

        List<JsonNode> again = publish("t.x", end).succeeded().json();

        assertThat(again.get(0).at("/ok/finished").asBoolean()).isTrue();
        assertThat(again.get(0).at("/ok/progress").asText()).isEqualTo(PipedBatches.progress(1));
        assertThat(cli.status("t.x").get("version").asLong()).isEqualTo(version);

        publish("t.x", out -> PipedBatches.publish(out, 1)).succeeded();
        assertThat(cli.steps("t.x")).isEqualTo(2);
    }

    @Test
    void aSealedDatasetIsSealedAgainAndTakesNoBatch() {
        Requests seal = out -> PipedBatches.line(out, "{\"do\":\"seal\"}");
        publish("t.x", seal).succeeded();
        assertThat(publish("t.x", seal).succeeded().json().get(1).at("/ok/steps").asLong())
                .isZero();

        Ran ran = publish("t.x", out -> PipedBatches.publish(out, 0));

        assertRefused(ran, 4, "fenced", "sealed");
    }

    /** What is equal in content is equal in the log, however it came. */
    @Test
    void otherTypesThatFitAreTakenAsIfTheyWereTheDatasets() {
        for (String dataset : List.of("t.x", "t.calm")) {
            Schema schema = dataset.equals("t.x") ? PipedBatches.NARROW : PipedBatches.OWN;
            publish(
                            dataset,
                            out -> {
                                PipedBatches.publish(out, 7, schema, PipedBatches.SLICES);
                                PipedBatches.line(out, "{\"do\":\"seal\"}");
                            })
                    .succeeded();
        }

        assertThat(cli.digests("t.x")).isEqualTo(cli.digests("t.calm"));
        assertThat(cli.digests("t.x").get(0L)).hasSize(4);
    }

    @Test
    void whatABatchWasMadeOfIsExplained() {
        publish(
                        "t.x",
                        out -> {
                            PipedBatches.line(
                                    out,
                                    "{\"do\":\"publish\",\"progress\":\"\",\"counts\":{\"tokens\":77},"
                                            + "\"sources\":[{\"input\":\"s3://b/a\"}],\"rows\":[{\"slice\":1,"
                                            + "\"source\":0,\"first\":5,\"rows\":1,\"amount\":1}]}");
                            PipedBatches.stream(out, 0, PipedBatches.OWN, PipedBatches.SLICES);
                        })
                .succeeded();

        assertThat(cli.status("t.x").at("/counts/tokens").asLong()).isEqualTo(77);
        assertThat(cli.run("explain", "t.x", "--step", "0").succeeded().out()).contains("s3://b/a");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void aBatchThatIsNotTheGridIsNotPublished(int slices) {
        Ran ran =
                publish(
                        "t.x",
                        out -> {
                            PipedBatches.publish(out, 0);
                            PipedBatches.publish(out, 1, PipedBatches.OWN, slices);
                        });

        assertRefused(ran, 2, "invalid", slices == 3 ? "only 3 of 4 slices" : "is full");
        assertThat(cli.steps("t.x")).isEqualTo(1);
        JsonNode again = publish("t.x", out -> {}).succeeded().json().get(0);
        assertThat(again.at("/ok/progress").asText()).isEqualTo(PipedBatches.progress(1));
    }

    /** As when the program dies while it writes, at any byte. */
    @Test
    void aBatchThatIsCutIsNotPublished() {
        byte[] whole = PipedBatches.bytes(out -> PipedBatches.publish(out, 1));
        for (int length = 1; length < whole.length; length += 211) {
            Ran ran = publish("t.x", Arrays.copyOf(whole, length));

            assertRefused(ran, 2, "invalid", "standard input");
        }
        assertThat(publish("t.x", Arrays.copyOf(whole, whole.length - 1)).code()).isEqualTo(2);
        assertThat(cli.steps("t.x")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "publish",
                "[]",
                "{}",
                "{\"do\":\"publisch\"}",
                "{\"do\":\"publish\"}",
                "{\"do\":\"publish\",\"progress\":\"***\"}",
                "{\"do\":\"publish\",\"progress\":\"\",\"counts\":{\"tokens\":1.5}}",
                "{\"do\":\"publish\",\"progress\":\"\",\"rows\":[{\"slice\":0}]}",
                "{\"do\":\"publish\",\"progress\":\"\"}\nno stream follows"
            })
    void whatIsNoRequestIsRefused(String request) {
        Ran ran = publish("t.x", out -> PipedBatches.line(out, request));

        assertRefused(ran, 2, "invalid", "standard input");
        assertThat(cli.steps("t.x")).isZero();
    }

    @Test
    void aStreamWithoutItsLineSaysThatOneIsMissing() {
        byte[] begin = {-1, -1, -1, -1, 16, 0, 0, 0};
        assertRefused(
                publish("t.x", begin), 2, "invalid", "Arrow stream begins where a line of JSON");
    }

    @Test
    void aColumnThatDoesNotFitIsNamed() {
        cli.run("create", "t.other", "--schema", "id:int!,label:string", "--grid", "dp=4")
                .succeeded();

        Ran ran = publish("t.other", out -> PipedBatches.publish(out, 0));

        assertRefused(ran, 2, "invalid", "column id", "batch 0 on standard input");
    }

    @Test
    void aDatasetThatIsNotThereIsRefusedByOneLine() {
        Ran ran = publish("t.none", out -> {});

        assertRefused(ran, 2, "invalid", "t.none");
    }

    private static void assertRefused(Ran ran, int code, String kind, String... parts) {
        String told = ran.refused(code);
        List<JsonNode> replies = ran.json();
        JsonNode last = replies.get(replies.size() - 1);
        assertThat(fields(last)).containsExactly("error");
        assertThat(last.at("/error/kind").asText()).isEqualTo(kind);
        assertThat(last.at("/error/message").asText()).contains(parts);
        assertThat(told).isEqualTo("batchweave: " + last.at("/error/message").asText());
    }
}
