package io.batchweave.model;

import java.util.Locale;

/** The name of a dataset: {@code namespace.name}. */
public record DatasetName(String namespace, String name) {
    public DatasetName {
        Names.checkTablePart("namespace", namespace);
        Names.checkTablePart("dataset", name);
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.endsWith("_steps") || lower.endsWith("_events")) {
            throw new IllegalArgumentException(
                    "Invalid name of a dataset '"
                            + name
                            + "': the endings _steps and _events belong to its views");
        }
    }

    /** Reads {@code namespace.name}. */
    public static DatasetName parse(String text) {
        int dot = text.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException(
                    "Invalid dataset '"
                            + Names.printable(text)
                            + "': write NAMESPACE.NAME, such as train.pretrain");
        }
        return new DatasetName(text.substring(0, dot), text.substring(dot + 1));
    }

    @Override
    public String toString() {
        return namespace + "." + name;
    }
}
