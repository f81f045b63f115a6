package io.batchweave.e2e;

import io.batchweave.cli.Main;
import java.nio.file.Path;
import java.util.Arrays;

/** The command in a process that tells at its end how much memory it took. */
final class MeasuredMain {
    private MeasuredMain() {}

    /** Takes the file to tell it in, and the command. */
    public static void main(String[] arguments) {
        Memory.tellAtExit(Path.of(arguments[0]));
        Main.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
