package io.batchweave.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A dataset of two inputs and two producers, on which a job has gone back and skipped steps, with
 * its view; and what the questions of {@code spark-examples} must say of it.
 */
final class TrainedView {
    static final String DATASET = "demo.train";
    private static final Path EXAMPLES =
            Path.of(System.getProperty("repository.root"), "spark-examples", "sql");

    private final String warehouse;
    private final Path folder;

    /** Makes it, in two folds. */
    TrainedView(String warehouse, Path folder) {
        this.warehouse = warehouse;
        this.folder = folder;
        run("create", DATASET, "--tokens", "--grid", "dp=2");
        ingest("web.txt", "p0", 900);
        run("attach", DATASET, "llm", "--keep", "3");
        run("session", DATASET, "llm", "--id", "run-1");
        run("checkpoint", DATASET, "llm", "--step", "10", "--id", "good");
        run("checkpoint", DATASET, "llm", "--step", "40", "--id", "spiked");
        run("skip", DATASET, "--steps", "15..17", "--reason", "loss spike");
        run("skip", DATASET, "--steps", "19..19", "--reason", "a mistake");
        run("unskip", DATASET, "--steps", "19..19");
        run("session", DATASET, "llm", "--id", "run-2", "--at", "good");
        run("skip", DATASET, "--steps", "42..42", "--reason", "too late for run-2");
        run("fold", DATASET);
        ingest("books.txt", "p1", 900);
        run("checkpoint", DATASET, "llm", "--step", "60", "--id", "mended");
        run("fold", DATASET);
    }

    Ran run(String... arguments) {
        return Cli.runAlone(Cli.at(warehouse, arguments)).succeeded();
    }

    void ingest(String input, String producer, int lines) {
        Path file = folder.resolve(input);
        try {
            Files.write(
                    file,
                    IntStream.range(0, lines)
                            .mapToObj(line -> "Line " + line + " of " + input + ", said at length.")
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(
                "ingest",
                DATASET,
                file.toString(),
                "--producer",
                producer,
                "--tokenizer",
                "cl100k_base",
                "--seq-len",
                "8",
                "--rows-per-slice",
                "1");
    }

    /** The steps, as the log has them. */
    List<JsonNode> steps() {
        return run("steps", DATASET, "--json").json();
    }

    /** Asks every question and holds the answers against the log. */
    void assertToldBy(Engine engine, String dialect) {
        List<JsonNode> steps = steps();
        assertThat(steps).hasSizeGreaterThan(1_000);
        readme(engine.ask(readmeQuestion()), steps);
        producers(engine.ask(question("producers.sql")), steps);
        sources(engine.ask(question(dialect + "/tokens-by-source.sql")), steps);
        stepsOfInput(engine.ask(question("steps-of-input.sql")), steps);
        largestSlices(engine.ask(question(dialect + "/largest-slices.sql")), steps);
        checkpoint(engine.ask(question("checkpoint.sql")), steps);
        assertThat(engine.ask(question("events.sql")))
                .extracting(row -> row.get("kind"))
                .containsExactly(
                        "session",
                        "checkpoint",
                        "checkpoint",
                        "skipped",
                        "skipped",
                        "unskipped",
                        "session",
                        "skipped",
                        "checkpoint");
    }

    /** One statement, without the semicolon after it. */
    private static String question(String name) {
        try {
            return Files.readString(EXAMPLES.resolve(name)).replaceAll(";\\s*\\z", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String readmeQuestion() {
        try {
            return Readme.blocks("sql", "The steps as a table").get(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void readme(List<Map<String, String>> rows, List<JsonNode> steps) {
        assertThat(rows).containsExactly(totals("p0", steps), totals("p1", steps));
    }

    private static Map<String, String> totals(String producer, List<JsonNode> all) {
        List<JsonNode> steps = all.stream().filter(by(producer)).toList();
        return Map.of(
                "producer", producer,
                "steps", Integer.toString(steps.size()),
                "row_count", sum(steps, "rows"),
                "bytes", sum(steps, "bytes"),
                "last_step", steps.get(steps.size() - 1).get("step").asText());
    }

    private static String sum(List<JsonNode> steps, String field) {
        return Long.toString(steps.stream().mapToLong(step -> step.get(field).asLong()).sum());
    }

    private static void producers(List<Map<String, String>> rows, List<JsonNode> steps) {
        assertThat(rows).hasSize(2);
        for (Map<String, String> row : rows) {
            Predicate<JsonNode> its = by(row.get("producer"));
            long last = steps.stream().filter(its).mapToLong(TrainedView::step).max().orElseThrow();
            long count = steps.stream().filter(its).count();
            assertThat(row)
                    .containsEntry("steps", Long.toString(count))
                    .containsEntry("percent", "%.1f".formatted(100.0 * count / steps.size()))
                    .containsEntry("tokens", tokens(steps, its))
                    .containsEntry("steps_behind", Long.toString(steps.size() - 1 - last));
        }
    }

    private static void sources(List<Map<String, String>> rows, List<JsonNode> steps) {
        assertThat(rows).extracting(row -> row.get("first_step")).contains("0", "1000");
        Map<String, String> producers = Map.of("web.txt", "p0", "books.txt", "p1");
        for (Map<String, String> row : rows) {
            long thousand = Long.parseLong(row.get("first_step"));
            Predicate<JsonNode> its = by(producers.get(file(row.get("input"))));
            assertThat(row.get("tokens"))
                    .isEqualTo(tokens(steps, its.and(s -> step(s) / 1_000 * 1_000 == thousand)));
        }
        assertThat(rows.stream().mapToLong(row -> Long.parseLong(row.get("tokens"))).sum())
                .hasToString(tokens(steps, step -> true));
    }

    private static void stepsOfInput(List<Map<String, String>> rows, List<JsonNode> steps) {
        assertThat(rows)
                .isEqualTo(
                        steps.stream()
                                .filter(by("p0"))
                                .map(
                                        step ->
                                                Map.of(
                                                        "step",
                                                        step.get("step").asText(),
                                                        "producer",
                                                        "p0",
                                                        "tokens",
                                                        tokens(List.of(step), each -> true)))
                                .toList());
    }

    private static void largestSlices(List<Map<String, String>> rows, List<JsonNode> steps) {
        assertThat(rows).hasSize(10);
        List<Long> bytes = rows.stream().map(row -> Long.parseLong(row.get("bytes"))).toList();
        assertThat(bytes).isSortedAccordingTo((one, other) -> Long.compare(other, one));
        for (Map<String, String> row : rows) {
            JsonNode step = steps.get(Integer.parseInt(row.get("step")));
            assertThat(Long.parseLong(row.get("bytes"))).isBetween(1L, step.get("bytes").asLong());
            assertThat(row).containsEntry("rows", "1");
        }
    }

    private void checkpoint(List<Map<String, String>> rows, List<JsonNode> steps) {
        List<JsonNode> proof =
                run("prove", DATASET, "--checkpoint", "mended", "--log-only", "--json").json();
        List<Long> fed =
                proof.stream().filter(line -> line.has("step")).map(TrainedView::step).toList();
        assertThat(fed).hasSize(57).contains(19L, 42L).doesNotContain(15L, 16L, 17L);
        assertThat(rows)
                .containsExactly(
                        Map.of(
                                "steps",
                                Integer.toString(fed.size()),
                                "last_step",
                                "59",
                                "rows",
                                Integer.toString(2 * fed.size()),
                                "tokens",
                                tokens(steps, step -> fed.contains(step(step)))));
    }

    static Predicate<JsonNode> by(String producer) {
        return step -> step.get("producer").asText().equals(producer);
    }

    static String tokens(List<JsonNode> steps, Predicate<JsonNode> which) {
        return steps.stream()
                .filter(which)
                .map(step -> step.get("counts").get("tokens").asLong())
                .collect(Collectors.summingLong(count -> count))
                .toString();
    }

    private static String file(String input) {
        return input.substring(input.lastIndexOf('/') + 1);
    }

    private static long step(JsonNode step) {
        return step.get("step").asLong();
    }
}
