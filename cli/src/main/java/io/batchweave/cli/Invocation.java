package io.batchweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.errors.UnavailableException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** One run of one command: what it prints, how it fails, and its exit code. */
final class Invocation {
    private static final Logger LOG = LoggerFactory.getLogger(Invocation.class);

    private final Interruption interruption = new Interruption();
    private final InputStream input;
    private final OutputStream bytes;
    private final WatchedOutput output;
    private final PrintWriter out;
    private final PrintWriter err;
    private final ErrorLines errors;

    /** Reads and prints to these streams; none is closed. */
    Invocation(InputStream in, OutputStream out, OutputStream err) {
        this.input = in;
        this.bytes = out;
        this.output = new WatchedOutput(out);
        this.out = writer(output);
        this.err = writer(err);
        this.errors = new ErrorLines(this.err);
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(new BufferedWriter(new OutputStreamWriter(stream, UTF_8)));
    }

    /** Must be called when the process ends; says so if the command was not done. */
    void processEnds() {
        interruption.processEnds(errors);
    }

    /** Returns the exit code. */
    int run(String... arguments) {
        try {
            int code = commandLine().execute(arguments);
            out.flush();
            Optional<IOException> loss = output.loss();
            return loss.isPresent() ? failed(lost(loss.get())) : done(code);
        } catch (Error e) {
            // The parser hands on exceptions only.
            return failed(e);
        }
    }

    private int done(int code) {
        interruption.end();
        return code;
    }

    private CommandLine commandLine() {
        CommandLine line = new CommandLine(new Main(input, bytes));
        line.setOut(out);
        line.setErr(err);
        line.registerConverter(long.class, whole(Long::valueOf));
        line.registerConverter(Long.class, whole(Long::valueOf));
        line.registerConverter(int.class, whole(Integer::valueOf));
        line.registerConverter(Integer.class, whole(Integer::valueOf));
        line.setExecutionStrategy(this::execute);
        line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
        line.setParameterExceptionHandler((misuse, ignored) -> ended(Failure.of(misuse)));
        line.getCommandSpec().usageMessage().footer(exitCodes());
        return line;
    }

    private static <T> ITypeConverter<T> whole(ITypeConverter<T> number) {
        return text -> {
            try {
                return number.convert(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + "' is no whole number in range");
            }
        };
    }

    private static String[] exitCodes() {
        String codes =
                Arrays.stream(ExitCode.values())
                        .map(code -> "  " + code)
                        .collect(Collectors.joining("\n"));
        return ("\nExit codes:\n" + codes).split("\n");
    }

    private int execute(ParseResult parsed) {
        List<CommandLine> commands = parsed.asCommandLineList();
        interruption.concerns(commands.get(commands.size() - 1).getCommand());
        return new RunLast().execute(parsed);
    }

    private static RuntimeException lost(IOException why) {
        return new UnavailableException(
                "Cannot write to standard output: " + why.getMessage(), why);
    }

    private int failed(Throwable thrown) {
        if (System.getenv("BATCHWEAVE_DEBUG") != null) {
            LOG.error("This happened", thrown);
        }
        return ended(Failure.of(thrown));
    }

    private int ended(Failure failure) {
        if (interruption.end()) {
            errors.tell(failure.text());
        }
        return failure.code().code();
    }
}
