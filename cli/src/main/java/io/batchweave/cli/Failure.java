package io.batchweave.cli;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.OutOfMemoryException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is told of something that failed: one line, and the exit code. */
record Failure(ExitCode code, String text) {

    /** What a command threw. */
    static Failure of(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null
                        ? thrown.getCause()
                        : thrown;
        ExitCode code = ExitCode.of(cause);
        if (code != ExitCode.INTERNAL) {
            return new Failure(code, cause.getMessage());
        }
        if (cause instanceof OutOfMemoryError || cause instanceof OutOfMemoryException) {
            return new Failure(
                    code,
                    "Cannot go on: out of memory ("
                            + cause.getMessage()
                            + "); give it more by BATCHWEAVE_JAVA_OPTS, such as '-Xmx2g'");
        }
        return new Failure(
                code,
                "Cannot go on: this is a fault of BatchWeave itself ("
                        + cause
                        + "); please report it, with what a run with BATCHWEAVE_DEBUG=1 prints");
    }

    /** A command line that makes no sense. */
    static Failure of(ParameterException misuse) {
        String name = misuse.getCommandLine().getCommandSpec().qualifiedName();
        return new Failure(
                ExitCode.INVALID,
                unknownCommand(misuse)
                                .map(
                                        command ->
                                                "Cannot run '"
                                                        + command
                                                        + "': there is no such command")
                                .orElseGet(() -> "Cannot run '" + name + "': " + why(misuse))
                        + "; see '"
                        + name
                        + " --help'");
    }

    private static Optional<String> unknownCommand(ParameterException misuse) {
        boolean beforeAnyCommand = misuse.getCommandLine().getParent() == null;
        return beforeAnyCommand && misuse instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream()
                        .limit(1)
                        .filter(first -> !first.startsWith("-"))
                        .findFirst()
                : Optional.empty();
    }

    private static String why(ParameterException misuse) {
        String message = misuse.getMessage();
        return Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }
}
