package io.batchweave.e2e;

import io.batchweave.testing.Require;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The command in a process of its own, its output in files. It ends with the test. */
final class CliProcess implements AutoCloseable {
    private static final String MAIN = "io.batchweave.cli.Main";
    private static final long SECONDS_MAX = 120;
    private static final long POLL_MS = 5;

    /** Small and quick to start; what it does is short. */
    static final List<String> FLAGS =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** A shell may have told its children to ignore Ctrl-C, and they tell theirs. */
    private static final List<String> WITH_SIGNALS =
            List.of("env", "--default-signal=INT", "--default-signal=TERM");

    private static final boolean CAN_RESET_SIGNALS = canResetSignals();

    private final Process process;
    private final Path out;
    private final Path err;

    private CliProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Starts a command.
     *
     * @param folder for its output, and where it works
     */
    static CliProcess start(Path folder, String... arguments) {
        return start(folder, FLAGS, MAIN, arguments);
    }

    /** Starts a main class with its own flags. */
    static CliProcess start(Path folder, List<String> flags, String main, String... arguments) {
        try {
            Path out = Files.createTempFile(folder, "process-", ".out");
            Path err = Files.createTempFile(folder, "process-", ".err");
            Process process =
                    builder(flags, main, arguments)
                            .directory(folder.toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            return new CliProcess(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A process that is to be started in another way. */
    static ProcessBuilder builder(String... arguments) {
        return builder(FLAGS, MAIN, arguments);
    }

    private static ProcessBuilder builder(List<String> flags, String main, String... arguments) {
        List<String> command = new ArrayList<>(CAN_RESET_SIGNALS ? WITH_SIGNALS : List.of());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.addAll(flags);
        command.add("-Dbatchweave.home=" + System.getProperty("repository.root"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    }

    private static boolean canResetSignals() {
        try {
            List<String> probe = new ArrayList<>(WITH_SIGNALS);
            probe.add("true");
            return new ProcessBuilder(probe)
                            .redirectErrorStream(true)
                            .redirectOutput(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void requireSignals() {
        Require.that(
                CAN_RESET_SIGNALS,
                "a process that surely hears Ctrl-C is started by 'env --default-signal'; install"
                        + " GNU coreutils 8.31 or newer");
    }

    /** Waits until something has happened that the process brings about; fails if it ends first. */
    void await(String what, BooleanSupplier happened) {
        for (long polls = 0; !happened.getAsBoolean(); polls++) {
            if (polls * POLL_MS > SECONDS_MAX * 1_000 || hasEndedWithin(POLL_MS)) {
                throw new AssertionError("no " + what + ": " + process + " " + printed());
            }
        }
    }

    /** Whether a SIGSTOP has frozen it. */
    boolean isStopped() {
        try {
            String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
            return status.contains("State:\tT");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean hasEndedWithin(long ms) {
        try {
            return process.waitFor(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends a signal such as INT, as {@code kill} does. */
    void signal(String name) throws Exception {
        Process kill =
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .inheritIO()
                        .start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("cannot signal " + process + " " + printed());
        }
    }

    /** The processes that it has started and that live. */
    List<ProcessHandle> children() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /** Waits for the end. */
    Ran end() {
        return end(SECONDS_MAX);
    }

    Ran end(long secondsMax) {
        if (!hasEndedWithin(secondsMax * 1_000)) {
            throw new AssertionError("still running: " + process + " " + printed());
        }
        return new Ran(process.exitValue(), out(), err());
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private String printed() {
        return out() + err();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
