package io.batchweave.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code batchweave} command. */
@Command(
        name = "batchweave",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Transactional global batches for training runs, on an object store.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CreateCommand.class,
            ListCommand.class,
            IngestCommand.class,
            PublishCommand.class,
            ReadCommand.class,
            SidecarCommand.class,
            LogCommand.class,
            StepsCommand.class,
            ExplainCommand.class,
            StatusCommand.class,
            SealCommand.class,
            AlterCommand.class,
            AttachCommand.class,
            SessionCommand.class,
            CheckpointCommand.class,
            ReleaseCommand.class,
            DetachCommand.class,
            SkipCommand.class,
            UnskipCommand.class,
            ProveCommand.class,
            FoldCommand.class,
            SweepCommand.class,
            DropCommand.class,
            VerifyCommand.class,
            ProbeCommand.class,
            ServeCommand.class,
            DemoCommand.class,
            HelpCommand.class
        })
public final class Main implements Callable<Integer> {
    @Spec private CommandSpec spec;
    private final InputStream input;
    private final OutputStream bytes;

    /** A command that can also read {@code input}, and print what is no text to {@code bytes}. */
    Main(InputStream input, OutputStream bytes) {
        this.input = input;
        this.bytes = bytes;
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Invocation invocation =
                new Invocation(
                        new FileInputStream(FileDescriptor.in),
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err));
        Runtime.getRuntime().addShutdownHook(new Thread(invocation::processEnds, "interruption"));
        System.exit(invocation.run(arguments));
    }

    /** Runs one command within this process and returns its exit code; closes neither stream. */
    public static int run(OutputStream out, OutputStream err, String... arguments) {
        return run(InputStream.nullInputStream(), out, err, arguments);
    }

    /** The same, with something on its standard input. */
    public static int run(InputStream in, OutputStream out, OutputStream err, String... arguments) {
        return new Invocation(in, out, err).run(arguments);
    }

    /** What is piped in. */
    ReadableByteChannel input() {
        return Channels.newChannel(input);
    }

    /** Where what is no text is printed. */
    WritableByteChannel bytes() {
        return Channels.newChannel(bytes);
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.OK.code();
    }
}
