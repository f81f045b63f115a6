package io.batchweave.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Parses the command line, runs one command, and turns what fails into one line and an exit code.
 */
@Command(
        name = "batchweave",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Transactional global batches for training runs, on an object store.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CreateCommand.class,
            IngestCommand.class,
            ReadCommand.class,
            LogCommand.class,
            StepsCommand.class,
            StatusCommand.class,
            SealCommand.class,
            VerifyCommand.class,
            DemoCommand.class
        })
public final class Main implements Callable<Integer> {
    @Spec private CommandSpec spec;

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler(
                (failure, command, parsed) -> failed(failure, command.getErr()));
        line.setParameterExceptionHandler(Main::misused);
        line.getHelpSectionMap().put("exitCodeListHeading", help -> "%nExit codes:%n".formatted());
        line.getCommandSpec().usageMessage().footer(exitCodes());
        return line.execute(arguments);
    }

    private static String[] exitCodes() {
        String codes =
                Arrays.stream(ExitCode.values())
                        .map(code -> "  " + code)
                        .collect(Collectors.joining("\n"));
        return ("\nExit codes:\n" + codes).split("\n");
    }

    private static int failed(Exception failure, PrintWriter err) {
        ExitCode code = ExitCode.of(failure);
        if (code == ExitCode.INTERNAL) {
            err.println(
                    "batchweave: this is a fault of BatchWeave itself, please report it: "
                            + failure);
            if (System.getenv("BATCHWEAVE_DEBUG") != null) {
                failure.printStackTrace(err);
            } else {
                err.println("batchweave: run again with BATCHWEAVE_DEBUG=1 for where it happened");
            }
        } else {
            err.println("batchweave: " + failure.getMessage());
        }
        err.flush();
        return code.code();
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        command.getErr().println("batchweave: " + misuse.getMessage());
        command.getErr()
                .println(
                        "batchweave: see '"
                                + command.getCommandSpec().qualifiedName()
                                + " --help'");
        return ExitCode.INVALID.code();
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
