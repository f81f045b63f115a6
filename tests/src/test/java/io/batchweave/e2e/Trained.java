package io.batchweave.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * A dataset {@code t.x} of numbered rows, of which step n has the rows 2n and 2n + 1, and its jobs.
 */
record Trained(Cli cli, Path input) {

    static Trained of(Path folder, int steps) throws IOException {
        Cli cli = new Cli(folder.resolve("warehouse"));
        Path input = folder.resolve("ids.jsonl");
        Files.writeString(
                input,
                IntStream.range(0, 2 * steps)
                        .mapToObj(id -> "{\"id\":" + id + "}\n")
                        .collect(Collectors.joining()));
        cli.run("create", "t.x", "--grid", "dp=2", "--schema", "id:long!").succeeded();
        cli.run("ingest", "t.x", input.toString(), "--producer", "p", "--rows-per-slice", "1")
                .succeeded();
        return new Trained(cli, input);
    }

    /** Runs a command of a job, which succeeds. */
    Ran ran(String command, String job, String... more) {
        return cli.run(of(command, job, more)).succeeded();
    }

    /** The object that a command of a job prints. */
    JsonNode json(String command, String job, String... more) {
        return cli.run(Cli.joined(of(command, job, more), "--json")).succeeded().json().get(0);
    }

    String refused(int code, String command, String job, String... more) {
        return cli.run(of(command, job, more)).refused(code);
    }

    private static String[] of(String command, String job, String... more) {
        return Cli.joined(new String[] {command, "t.x", job}, more);
    }

    List<JsonNode> read(String job, String session, String... more) {
        String[] read = {"read", "t.x", "--job", job, "--session", session, "--json"};
        return cli.run(Cli.joined(read, more)).succeeded().json();
    }

    void checkpoint(String job, JsonNode after, String id) {
        ran("checkpoint", job, "--cursor", after.get("cursor").asText(), "--id", id);
    }

    JsonNode job(String name) {
        return StreamSupport.stream(cli.status("t.x").get("jobs").spliterator(), false)
                .filter(job -> job.get("job").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static List<Long> steps(List<JsonNode> lines) {
        return lines.stream().map(line -> line.get("step").asLong()).toList();
    }

    static List<String> receipts(List<JsonNode> lines) {
        return lines.stream().map(line -> line.get("receipt").asText()).toList();
    }

    static List<String> digests(List<JsonNode> lines) {
        List<String> digests = new ArrayList<>();
        lines.forEach(
                line ->
                        line.get("slices")
                                .forEach(slice -> digests.add(slice.get("digest").asText())));
        return digests;
    }
}
