package io.batchweave.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One rank of job {@code j} in a process of its own: it asks for its session, reads in it, says
 * that it has saved, and leaves what it was told in a file.
 */
final class RankMain {
    private RankMain() {}

    /** Takes the warehouse, the file, the session, the rank as {@code 3/8}, and how many steps. */
    public static void main(String[] arguments) throws IOException {
        Cli cli = new Cli(Path.of(arguments[0]));
        String session = arguments[2];
        Ran started = cli.run("session", "t.x", "j", "--id", session, "--json").succeeded();
        Ran read =
                cli.run(
                                "read",
                                "t.x",
                                "--job",
                                "j",
                                "--session",
                                session,
                                "--steps",
                                arguments[4],
                                "--json")
                        .succeeded();
        List<JsonNode> given = read.json();
        String cursor = given.get(given.size() - 1).get("cursor").asText();
        Ran saved =
                cli.run(
                                "checkpoint",
                                "t.x",
                                "j",
                                "--cursor",
                                cursor,
                                "--id",
                                "c-" + session,
                                "--rank",
                                arguments[3],
                                "--json")
                        .succeeded();
        Files.writeString(Path.of(arguments[1]), started.out() + read.out() + saved.out());
    }
}
