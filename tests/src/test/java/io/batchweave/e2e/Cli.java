package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.batchweave.cli.Main;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The command run within this process, on one warehouse. */
record Cli(Path warehouse) {

    /** Runs a command that may fail. */
    Ran run(String... arguments) {
        return runAlone(at(warehouse.toString(), arguments));
    }

    /** Runs a command with these arguments and no other. */
    static Ran runAlone(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(out, err, arguments);
        return new Ran(code, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** The arguments, and the option that names the warehouse. */
    static String[] at(String uri, String... arguments) {
        return joined(arguments, "--warehouse", uri);
    }

    static String[] joined(String[] arguments, String... more) {
        return Stream.concat(Arrays.stream(arguments), Arrays.stream(more)).toArray(String[]::new);
    }

    /** Creates a dataset of tokens. */
    void create(String dataset, String grid, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("create", dataset, "--tokens", "--grid", grid));
        arguments.addAll(List.of(more));
        run(arguments.toArray(String[]::new)).succeeded();
    }

    JsonNode status(String dataset) {
        return run("status", dataset, "--json").succeeded().json().get(0);
    }

    long steps(String dataset) {
        return status(dataset).get("steps").asLong();
    }

    /** Fails if anything is wrong. */
    JsonNode verifyIsClean(String dataset) {
        return run("verify", dataset, "--json").succeeded().json().get(0);
    }

    /** What a rank of a sealed dataset gets: the digests of its slices, by step and slice. */
    Map<Long, Map<Integer, String>> digests(String dataset, String... place) {
        List<String> arguments = new ArrayList<>(List.of("read", dataset, "--json"));
        arguments.addAll(List.of(place));
        Map<Long, Map<Integer, String>> digests = new TreeMap<>();
        for (JsonNode line : run(arguments.toArray(String[]::new)).succeeded().json()) {
            Map<Integer, String> slices = new TreeMap<>();
            line.get("slices")
                    .forEach(
                            slice ->
                                    slices.put(
                                            slice.get("index").asInt(),
                                            slice.get("digest").asText()));
            digests.put(line.get("step").asLong(), slices);
        }
        return digests;
    }
}
