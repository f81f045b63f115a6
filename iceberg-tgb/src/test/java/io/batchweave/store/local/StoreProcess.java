package io.batchweave.store.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@link LocalStore} in a process of its own, which does what it is told, a line at a time. */
final class StoreProcess implements AutoCloseable {
    private static final long EXIT_SECONDS_MAX = 60;

    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    private StoreProcess(Process process) {
        this.process = process;
        this.commands = process.outputWriter(UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    }

    /** Starts a process with a store of this root. */
    static StoreProcess start(Path root) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new StoreProcess(
                new ProcessBuilder(
                                java.toString(),
                                "-Xmx128m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                StoreProcessMain.class.getName(),
                                root.toString())
                        .redirectError(Redirect.INHERIT)
                        .start());
    }

    /** Sends a command; its answer comes later. */
    void tell(String command) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the answer to the oldest command that has none yet. */
    String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new AssertionError("the process ended: " + process);
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String ask(String command) {
        tell(command);
        return answer();
    }

    /** Fails if the process has ended. */
    void requireRunning() {
        if (!process.isAlive()) {
            throw new AssertionError("the process ended: " + process);
        }
    }

    /** Sends SIGKILL and waits until the process is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new AssertionError("the process outlived SIGKILL: " + process);
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
