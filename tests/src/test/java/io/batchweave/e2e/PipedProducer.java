package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;

/** A program that publishes {@link PipedBatches} through a process of its own. */
final class PipedProducer implements AutoCloseable {
    private final Process process;
    private final OutputStream requests;
    private final BufferedReader replies;

    private PipedProducer(Process process) {
        this.process = process;
        this.requests = new BufferedOutputStream(process.getOutputStream());
        this.replies = process.inputReader(UTF_8);
    }

    static PipedProducer start(String warehouse, String dataset) {
        String[] command = Cli.at(warehouse, "publish", dataset, "--producer", "p0");
        try {
            return new PipedProducer(
                    CliProcess.builder(command)
                            .redirectInput(Redirect.PIPE)
                            .redirectError(Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next reply; empty if the process has ended without it. */
    Optional<JsonNode> reply() throws IOException {
        String line = replies.readLine();
        return line == null ? Optional.empty() : Optional.of(new ObjectMapper().readTree(line));
    }

    /** The number of the batch to go on with. */
    Optional<Long> nextBatch() throws IOException {
        return reply().map(hello -> PipedBatches.nextBatch(hello.at("/ok/progress").asText()));
    }

    /** Publishes from a batch on up to another one; false if the process has died meanwhile. */
    boolean publish(long from, long end) {
        try {
            for (long batch = from; batch < end; batch++) {
                PipedBatches.publish(requests, batch);
                requests.flush();
                if (reply().isEmpty()) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    void request(String line) throws IOException {
        PipedBatches.line(requests, line);
        requests.flush();
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Ends its input, and waits for its exit code. */
    int end() throws IOException, InterruptedException {
        requests.close();
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
