package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.batchweave.cli.Main;
import io.batchweave.testing.TestData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files by which implementations of Arrow and Parquet test each other: what is published of them,
 * pyarrow finds the same in the file and in what a reader is given, bit by bit.
 */
@Timeout(300)
class ForeignFilesIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String WHY =
            "it holds test files of the Apache projects, and each is" + " published";
    private static final Pattern TYPE =
            Pattern.compile("and the input's is (.+), which does not fit");
    private static final Pattern WHOLE = Pattern.compile("not supported \\((.+)\\); write the");

    private static final Pattern COLUMN = Pattern.compile(", column ([^:.]+)[^:]*: ");
    private static final int COLUMNS_TOLD = 4;

    @TempDir private Path folder;
    private Python python;
    private Cli cli;
    private int datasets;
    private final List<Delivered> delivered = new ArrayList<>();

    /** What a reader got of a file, in a stream. */
    private record Delivered(Path file, Path stream, List<String> columns) {}

    @BeforeEach
    void useAWarehouse() throws IOException {
        python = Python.installed();
        cli = new Cli(folder.resolve("warehouse"));
        try (InputStream script = ForeignFilesIT.class.getResourceAsStream("foreign.py")) {
            Files.write(folder.resolve("foreign.py"), script.readAllBytes());
        }
    }

    @Test
    void everyIntegrationFileOfArrowGoesThroughOrIsRefusedByType() throws Exception {
        Path data = TestData.at("arrow-ipc/integration", WHY);
        List<Path> files = files(data, ".stream");

        List<String> table = new ArrayList<>();
        int number = 0;
        for (JsonNode described : schemas(files)) {
            Path file = files.get(number);
            String name = data.relativize(file).toString().replace(".stream", "");
            table.add("| " + name + " | " + outcome(file, described, "f" + number) + " |");
            number++;
        }

        assertNothingDiffers();
        assertThat(rowsOfTheDocument()).containsExactlyElementsOf(table);
    }

    @Test
    void everyParquetFileGoesThroughOrIsRefused() throws Exception {
        List<Path> files = files(TestData.at("parquet", WHY), ".parquet");

        Map<String, String> refused = new LinkedHashMap<>();
        int number = 0;
        for (JsonNode described : schemas(files)) {
            Path file = files.get(number);
            String outcome = outcome(file, described, "f" + number);
            String refusal = outcome.substring(outcome.lastIndexOf("| ") + 2);
            if (!refusal.isEmpty()) {
                refused.put(file.getFileName().toString(), refusal);
            }
            number++;
        }

        assertNothingDiffers();
        assertThat(refused)
                .containsOnlyKeys(
                        "datapage_v1-corrupt-checksum.parquet",
                        "int96_from_spark.parquet",
                        "map_no_value.parquet",
                        "nation.dict-malformed.parquet",
                        "nested_structs.rust.parquet",
                        "repeated_no_annotation.parquet",
                        "unknown-logical-type.parquet");
    }

    private static List<Path> files(Path data, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    /** Rows, columns and refusals of a file, as a row of the table has them. */
    private String outcome(Path file, JsonNode described, String dataset) throws IOException {
        if (described.has("failure")) {
            return "- | - | " + reason(refusal(file, dataset, "x"));
        }
        Map<String, JsonNode> taken = new LinkedHashMap<>();
        Map<String, String> refused = new LinkedHashMap<>();
        for (JsonNode column : described.get("columns")) {
            String name = column.get("name").asText();
            if (column.get("type").isNull() || count(described, name) > 1) {
                refused.put(name, reason(refusal(file, dataset, name)));
            } else {
                taken.put(name, column.get("type"));
            }
        }
        Optional<String> whole = published(file, dataset, taken, refused);
        return whole.map(why -> "- | - | " + why)
                .orElseGet(
                        () ->
                                "%d | %d | %s"
                                        .formatted(
                                                described.get("rows").asInt(),
                                                taken.size(),
                                                told(refused)));
    }

    private static long count(JsonNode described, String name) {
        return described.get("columns").findValuesAsText("name").stream()
                .filter(name::equals)
                .count();
    }

    /** Reasons that differ only in numbers are told once, with the columns they hold for. */
    private static String told(Map<String, String> refused) {
        Map<String, List<String>> columns = new LinkedHashMap<>();
        Map<String, String> first = new LinkedHashMap<>();
        refused.forEach(
                (column, reason) -> {
                    String kind = reason.replaceAll("[-\\d.]+", "0");
                    first.putIfAbsent(kind, reason);
                    columns.computeIfAbsent(kind, any -> new ArrayList<>()).add(column);
                });
        return columns.entrySet().stream()
                .map(each -> first.get(each.getKey()) + ": " + shortened(each.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String shortened(List<String> columns) {
        return columns.size() <= COLUMNS_TOLD
                ? String.join(", ", columns)
                : columns.get(0)
                        + " to "
                        + columns.get(columns.size() - 1)
                        + ", "
                        + columns.size()
                        + " columns";
    }

    /**
     * Publishes and reads these columns, without those that are refused for a value.
     *
     * @return why nothing of the file can be published
     */
    private Optional<String> published(
            Path file, String dataset, Map<String, JsonNode> taken, Map<String, String> refused)
            throws IOException {
        while (!taken.isEmpty()) {
            Ran ran = ingest(create(dataset, taken), file);
            if (ran.code() == 0) {
                deliver(file, dataset, List.copyOf(taken.keySet()));
                return Optional.empty();
            }
            String refusal = ran.refused(2);
            Matcher column = COLUMN.matcher(refusal);
            if (!column.find() || taken.remove(column.group(1)) == null) {
                return Optional.of(reason(refusal));
            }
            refused.put(column.group(1), reason(refusal));
        }
        return Optional.empty();
    }

    private void deliver(Path file, String dataset, List<String> columns) throws IOException {
        String name = "t." + dataset + datasets;
        cli.verifyIsClean(name);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String[] read = Cli.at(cli.warehouse().toString(), "read", name, "--arrow");
        assertThat(Main.run(out, err, read)).as(err.toString(UTF_8)).isZero();
        Path stream = folder.resolve(dataset + ".stream");
        Files.write(stream, out.toByteArray());
        delivered.add(new Delivered(file, stream, columns));
    }

    /** What is said of a column that nothing carries, here declared as a string. */
    private String refusal(Path file, String dataset, String column) throws IOException {
        String refusing = create(dataset, Map.of(column, JSON.getNodeFactory().textNode("string")));
        return ingest(refusing, file).refused(2);
    }

    private static String reason(String refusal) {
        for (Pattern pattern : List.of(TYPE, WHOLE)) {
            Matcher found = pattern.matcher(refusal);
            if (found.find()) {
                return found.group(1);
            }
        }
        return refusal.substring(refusal.lastIndexOf(": ") + 2).replaceAll(";.*", "").strip();
    }

    /** Creates another dataset of these optional columns, by a file in Iceberg's form. */
    private String create(String dataset, Map<String, JsonNode> columns) throws IOException {
        ObjectNode schema = JSON.createObjectNode().put("type", "struct");
        ArrayNode fields = schema.putArray("fields");
        columns.forEach(
                (name, type) ->
                        fields.addObject()
                                .put("id", fields.size())
                                .put("name", name)
                                .put("required", false)
                                .set("type", type));
        datasets++;
        String name = "t." + dataset + datasets;
        Path form = Files.writeString(folder.resolve(name + ".json"), schema.toString());
        cli.run("create", name, "--grid", "dp=1", "--schema", form.toString()).succeeded();
        return name;
    }

    private Ran ingest(String dataset, Path file) {
        return cli.run(
                "ingest",
                dataset,
                file.toString(),
                "--producer",
                "p",
                "--rows-per-slice",
                "100",
                "--seal");
    }

    private JsonNode schemas(List<Path> files) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("schemas"));
        files.forEach(file -> arguments.add(file.toString()));
        return JSON.readTree(asked("", arguments));
    }

    private void assertNothingDiffers() throws IOException {
        ArrayNode pairs = JSON.createArrayNode();
        for (Delivered each : delivered) {
            ArrayNode pair =
                    pairs.addArray().add(each.file().toString()).add(each.stream().toString());
            ArrayNode columns = pair.addArray();
            each.columns().forEach(columns::add);
        }
        JsonNode differences = JSON.readTree(asked(pairs.toString(), List.of("compare")));
        assertThat(delivered).isNotEmpty();
        assertThat(differences).hasSameSizeAs(delivered);
        for (int i = 0; i < delivered.size(); i++) {
            assertThat(differences.get(i).asText()).as("%s", delivered.get(i).file()).isEmpty();
        }
    }

    private String asked(String input, List<String> arguments) throws IOException {
        Path in = Files.writeString(folder.resolve("in"), input);
        Path err = folder.resolve("err");
        List<String> command = new ArrayList<>();
        command.add(python.executable().toString());
        command.add(folder.resolve("foreign.py").toString());
        command.addAll(arguments);
        Process process =
                new ProcessBuilder(command)
                        .redirectInput(in.toFile())
                        .redirectError(err.toFile())
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.onExit().join().exitValue()).as(Files.readString(err)).isZero();
        return out;
    }

    private static List<String> rowsOfTheDocument() throws IOException {
        String text = Files.readString(Readme.ROOT.resolve("cli/inputs.md"));
        return text.lines().filter(line -> line.contains("/generated_")).toList();
    }
}
