package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.cli.tokens.Tally;
import io.batchweave.cli.tokens.TokenSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A process of its own that ingests files and says what it gave and what memory it took. */
final class IngestProcess {
    private IngestProcess() {}

    /**
     * Takes the field of records ({@code -} if there are none) and the inputs; prints documents,
     * tokens and the most KiB of memory it had.
     */
    public static void main(String[] arguments) {
        List<String> fields = arguments[0].equals("-") ? List.of() : List.of(arguments[0]);
        IngestSettings settings = new IngestSettings("cl100k_base", 2048, 4, fields);
        Inputs inputs = Local.inputs(List.of(arguments).subList(1, arguments.length));
        Tally tally = Tally.ZERO;
        try (TokenSource source = InputUnits.start(inputs, settings)) {
            RowBlock block = source.newBlock();
            while (source.fill(block)) {
                tally = tally.plus(block.tally());
                source.progress();
            }
        }
        System.out.println(tally.documents() + " " + tally.tokens() + " " + mostMemoryKib());
    }

    /** Zero where the system does not say. */
    private static long mostMemoryKib() {
        Path status = Path.of("/proc/self/status");
        try {
            return !Files.exists(status)
                    ? 0
                    : Files.readAllLines(status).stream()
                            .filter(line -> line.startsWith("VmHWM:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
