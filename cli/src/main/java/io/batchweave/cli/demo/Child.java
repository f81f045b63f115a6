package io.batchweave.cli.demo;

import io.batchweave.errors.UnavailableException;
import io.batchweave.world.Deadline;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@code batchweave} command in a process of its own, its output in files. */
final class Child {
    private static final String MAIN = "io.batchweave.cli.Main";

    private final String name;
    private final Process process;
    private final Path output;
    private final Path errors;

    private Child(String name, Process process, Path output, Path errors) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    static Child start(String name, Path folder, List<String> arguments) {
        Path output = folder.resolve(name + ".out");
        Path errors = folder.resolve(name + ".err");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        // These live for seconds: what the full compiler would win comes too late for them.
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile())
                            .start();
            return new Child(name, process, output, errors);
        } catch (IOException e) {
            throw new UnavailableException("Cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    /** SIGKILL: no handler runs, nothing is flushed. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the end. */
    void awaitSuccess(Deadline deadline) {
        try {
            if (!process.waitFor(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new UnavailableException(
                        "Cannot finish the demo: " + name + " did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException(
                    "Cannot finish the demo: interrupted while waiting for " + name, e);
        }
        if (process.exitValue() != 0) {
            throw new UnavailableException(
                    "Cannot finish the demo: "
                            + name
                            + " ended with exit code "
                            + process.exitValue()
                            + "; "
                            + lastWords());
        }
    }

    /** The last line of what it complained of. */
    String lastWords() {
        List<String> lines = errorText().lines().toList();
        return lines.isEmpty() ? "it said nothing" : "it said: " + lines.get(lines.size() - 1);
    }

    String errorText() {
        return read(errors);
    }

    /** The whole lines of its output so far; a line that is being written is left out. */
    List<String> lines() {
        String text = read(output);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UnavailableException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
