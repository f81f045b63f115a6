package io.batchweave.cli.inputs;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.rows.TextRows;
import java.util.List;

/** Inputs on this machine. */
public final class Local {
    /** Where nobody may ask for a store. */
    public static final Locations LOCATIONS =
            new Locations(
                    uri -> {
                        throw new AssertionError(uri + " is asked for");
                    });

    private Local() {}

    /** What these arguments name. */
    public static Inputs inputs(List<String> arguments) {
        return TextRows.inputs(LOCATIONS, arguments);
    }
}
