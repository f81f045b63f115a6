package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which rows fed a step: what is told, and that it is what is in the payload. */
class ExplainTest {
    private static final String COLUMNS =
            "id:long!,flag:boolean,small:int,real:double,single:float,price:decimal(9,2),day:date,"
                    + "at:time,local:timestamp,utc:timestamptz,nanos:timestamp_ns,text:string,"
                    + "key:uuid,raw:binary,four:fixed(4),tags:list<string>,"
                    + "sizes:map<string,int>,point:struct<x:float,y:list<long>>";

    @TempDir private Path folder;
    private Cli cli;

    @BeforeEach
    void openWarehouse() {
        cli = new Cli(folder.resolve("warehouse"));
    }

    @Test
    void theRowsOfAStepMakeTheSameStepAgain() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(61));
        createRows("t.given");
        cli.run(rowIngest("t.given", rows)).succeeded();
        createRows("t.shuffled");
        cli.run(Cli.joined(rowIngest("t.shuffled", rows), "--shuffle", "7", "--epochs", "2"))
                .succeeded();

        assertEveryStepIsMadeAgain("t.given");
        assertEveryStepIsMadeAgain("t.shuffled");
    }

    /** Of Parquet and Arrow there are no lines to show, so that rows are written as JSON. */
    @Test
    void rowsThatAreNoLinesMakeTheSameStepAgain() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(40));
        createRows("t.lines");
        cli.run(rowIngest("t.lines", rows)).succeeded();
        Path arrow = Files.writeString(folder.resolve("rows.arrows"), "");
        try (OutputStream out = Files.newOutputStream(arrow)) {
            assertThat(
                            io.batchweave.cli.Main.run(
                                    out,
                                    OutputStream.nullOutputStream(),
                                    Cli.at(
                                            cli.warehouse().toString(),
                                            "read",
                                            "t.lines",
                                            "--arrow")))
                    .isZero();
        }
        createRows("t.arrow");
        cli.run(rowIngest("t.arrow", arrow)).succeeded();

        assertEveryStepIsMadeAgain("t.arrow");
        assertThat(cli.digests("t.arrow")).isEqualTo(cli.digests("t.lines"));
    }

    @Test
    void theDocumentsOfASliceHoldItsTokens() throws IOException {
        Corpus corpus = Corpus.generated(folder.resolve("corpus.jsonl"), 60);
        cli.create("t.tokens", "dp=2");
        cli.run(corpus.ingest("t.tokens", "p0", "--seal")).succeeded();
        List<String> lines = Files.readAllLines(corpus.file());

        List<JsonNode> steps = cli.run("steps", "t.tokens", "--json").succeeded().json();
        assertThat(steps).hasSizeGreaterThan(2);
        long before = 0;
        for (JsonNode step : steps) {
            String number = step.get("step").asText();
            List<JsonNode> told =
                    cli.run("explain", "t.tokens", "--step", number, "--json").succeeded().json();
            assertThat(told.stream().mapToLong(each -> each.get("amount").asLong()).sum())
                    .isEqualTo(step.get("counts").get("tokens").asLong());
            for (JsonNode slice : told) {
                List<String> content =
                        cli.run(
                                        "explain",
                                        "t.tokens",
                                        "--rows",
                                        "--step",
                                        number,
                                        "--slice",
                                        slice.get("slice").asText())
                                .succeeded()
                                .out()
                                .lines()
                                .toList();
                int first = slice.get("first").asInt();
                assertThat(content)
                        .isEqualTo(lines.subList(first, first + slice.get("rows").asInt()));
                assertThat(before)
                        .as("tokens before those of %s", slice)
                        .isBetween(corpus.tokensBefore(first), corpus.tokensBefore(first + 1) - 1);
                before += slice.get("amount").asLong();
            }
        }
        assertThat(before).isEqualTo(corpus.tokens());
    }

    @Test
    void anInputThatWasMovedIsKnownByItsContent() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(8));
        createRows("t.moved");
        cli.run(rowIngest("t.moved", rows)).succeeded();
        Path moved = Files.move(rows, folder.resolve("elsewhere"));
        String[] explain = {"explain", "t.moved", "--step", "0", "--rows"};

        assertThat(cli.run(explain).refused(2))
                .contains("Cannot read the rows of " + rows + " again: its first ")
                .endsWith(", and there is no such file; name the file that it is now with --input");
        assertThat(cli.run(Cli.joined(explain, "--input", moved.toString())).succeeded().out())
                .hasLineCount(4);

        Files.writeString(rows, rows(9));
        assertThat(cli.run(explain).succeeded().out()).as("of a file that grew").hasLineCount(4);
        Files.writeString(rows, rows(7));
        assertThat(cli.run(explain).refused(2))
                .contains("Cannot read the rows of " + rows + " again: its first ")
                .contains(", and they have digest ")
                .endsWith("; name the file that it is now with --input");
        assertThat(cli.run("explain", "t.moved", "--step", "0").succeeded().out())
                .contains(rows.toString());
    }

    @Test
    void aWrongFileForAnInputIsToldByItsDigest() throws Exception {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(8));
        createRows("t.wrong");
        cli.run(rowIngest("t.wrong", rows)).succeeded();
        Files.delete(rows);
        Path wrong = Files.writeString(folder.resolve("wrong.jsonl"), rows(9).substring(1));
        String[] explain = {"explain", "t.wrong", "--step", "0", "--rows", "--input"};

        assertThat(cli.run(Cli.joined(explain, wrong.toString())).refused(2))
                .containsPattern(
                        "again: its first \\d+ bytes had digest [0-9a-f]{64}, and there is no such"
                                + " file, "
                                + wrong
                                + " has digest [0-9a-f]{64}; name the file");
        assertThat(cli.run(Cli.joined(explain, rows.toString())).refused(2))
                .contains("Cannot read " + rows + ": there is no such file; name the file that");

        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThat(cli.run(Cli.joined(explain, pipe.toString())).refused(2))
                .contains("Cannot read " + pipe + ": it is no regular file;");
        Files.move(pipe, rows);
        assertThat(cli.run("explain", "t.wrong", "--step", "0", "--rows").refused(2))
                .contains(", and it is no regular file; name the file");
    }

    @Test
    void optionsThatWouldDoNothingAreRefused() throws IOException {
        Path rows = Files.writeString(folder.resolve("rows.jsonl"), rows(8));
        createRows("t.options");
        cli.run(rowIngest("t.options", rows)).succeeded();
        String[] explain = {"explain", "t.options", "--step", "0"};

        assertThat(cli.run(Cli.joined(explain, "--rows", "--field", "text")).refused(2))
                .contains("Cannot use --field for t.options: its schema is not that of token");
        assertThat(cli.run(Cli.joined(explain, "--field", "text")).refused(2))
                .contains("Cannot use --input or --field without --rows");
        assertThat(cli.run(Cli.joined(explain, "--input", rows.toString())).refused(2))
                .contains("Cannot use --input or --field without --rows");
    }

    @Test
    void whatIsNotThereIsRefused() throws IOException {
        createRows("t.few");
        assertThat(cli.run("explain", "t.few", "--step", "0").refused(2))
                .endsWith("Cannot explain step 0 of t.few: no step is published");
        cli.run(rowIngest("t.few", Files.writeString(folder.resolve("a.jsonl"), rows(8))))
                .succeeded();
        assertThat(cli.run("explain", "t.few", "--step", "2").refused(2))
                .endsWith("Cannot explain step 2 of t.few: it has the steps 0 to 1");
        assertThat(cli.run("explain", "t.few", "--step", "-1").refused(2)).contains("step -1");
        assertThat(cli.run("explain", "t.few", "--step", "0", "--slice", "2").refused(2))
                .endsWith("Cannot explain slice 2 of t.few: its grid dp=2 has the slices 0 to 1");
    }

    private void createRows(String dataset) {
        cli.run("create", dataset, "--grid", "dp=2", "--schema", COLUMNS).succeeded();
    }

    private static String[] rowIngest(String dataset, Path rows) {
        return new String[] {
            "ingest", dataset, rows.toString(), "--producer", "p", "--rows-per-slice", "2", "--seal"
        };
    }

    /** Each step's rows, printed and ingested alone, have the digests that the step has. */
    private void assertEveryStepIsMadeAgain(String dataset) throws IOException {
        Map<Long, Map<Integer, String>> digests = cli.digests(dataset);
        assertThat(digests).hasSizeGreaterThan(5);
        for (long step : digests.keySet()) {
            String printed =
                    cli.run("explain", dataset, "--rows", "--step", Long.toString(step))
                            .succeeded()
                            .out();
            Path again = Files.writeString(folder.resolve("again.jsonl"), printed);
            String copy = dataset + "-" + step;
            createRows(copy);
            cli.run(rowIngest(copy, again)).succeeded();
            assertThat(cli.digests(copy)).isEqualTo(Map.of(0L, digests.get(step)));
        }
    }

    /** Lines of every type, with nulls among them. */
    private static String rows(int count) {
        List<String> values = new ArrayList<>();
        values.add("'flag':%s,'small':%d,'real':%d.25e-3,'single':'NaN','price':'%d.10'");
        values.add("'day':'2026-11-%02d','at':'12:00:00.000%03d','local':'1969-12-31T23:59:59.9'");
        values.add("'utc':'2026-01-01T00:00:00.000001Z','nanos':'2262-01-01T00:00:00.123456789'");
        values.add(
                "'text':'caf\u00e9 \\\\n %d','key':'00000000-0000-0000-0000-%012d','raw':'AP8='");
        values.add("'four':'AAECAw==','tags':['a',null],'sizes':{'b':%d},'point':{'y':[1,%d]}");
        Map<Integer, Object[]> arguments = new HashMap<>();
        StringBuilder lines = new StringBuilder();
        for (int row = 0; row < count; row++) {
            arguments.put(0, new Object[] {row % 2 == 0, -row, row, row});
            arguments.put(1, new Object[] {1 + row % 30, row});
            arguments.put(2, new Object[] {});
            arguments.put(3, new Object[] {row, row});
            arguments.put(4, new Object[] {row, row});
            lines.append("{\"id\":").append(row);
            for (int group = 0; group < values.size(); group++) {
                if ((row + group) % 3 != 0) {
                    lines.append(',')
                            .append(
                                    values.get(group)
                                            .formatted(arguments.get(group))
                                            .replace('\'', '"'));
                }
            }
            lines.append("}\n");
        }
        return lines.toString();
    }
}
