package io.batchweave.cli;

import io.batchweave.cli.order.Mixing;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.errors.InvalidRequestException;
import picocli.CommandLine.Option;

/** In what order rows or documents are taken: the options of an ingest. */
final class OrderOptions {
    @Option(
            names = "--shuffle",
            paramLabel = "SEED",
            description =
                    "Take rows, or documents, in random order: another in each epoch, the same on"
                            + " every machine. Reads all inputs once before it begins.")
    private Long seed;

    @Option(
            names = "--shuffle-window",
            paramLabel = "ROWS",
            description =
                    "With --shuffle, the rows that are mixed at a time and kept in memory; they come"
                            + " from all over the inputs. Default: "
                            + Mixing.WINDOW_DEFAULT)
    private Integer window;

    @Option(
            names = "--epochs",
            defaultValue = "1",
            paramLabel = "TIMES",
            description = "Take every row, or document, so many times. Default: ${DEFAULT-VALUE}")
    private int epochs;

    @Option(
            names = "--part",
            defaultValue = "1/1",
            paramLabel = "I/N",
            description =
                    "Take one part of N, such as 2/8. N producers with the same inputs and options,"
                            + " one for each part, take every row exactly once an epoch.")
    private String part;

    RowOrder order() {
        if (seed == null && window != null) {
            throw new InvalidRequestException(
                    "Cannot use --shuffle-window without --shuffle: nothing is shuffled; give a"
                            + " seed, or leave it out");
        }
        Mixing mixing =
                seed == null
                        ? new Mixing.InOrder()
                        : new Mixing.Shuffled(
                                seed, window == null ? Mixing.WINDOW_DEFAULT : window);
        String[] share = share();
        return new RowOrder(epochs, mixing, Integer.parseInt(share[0]), Integer.parseInt(share[1]));
    }

    private String[] share() {
        if (!part.matches("[0-9]{1,6}/[0-9]{1,6}")) {
            throw new InvalidRequestException(
                    "Invalid --part '" + part + "': use I/N, such as 2/8 for the second of 8");
        }
        return part.split("/");
    }
}
