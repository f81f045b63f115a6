package io.batchweave.cli.rows.cells;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds an input's fields for a dataset's columns, by name. */
public final class Matching {
    private static final int NAMES_MAX = 8;

    private final List<String> names;

    private Matching(List<String> names) {
        this.names = names;
    }

    /**
     * For each column the index of its field; a column that may be without one is left out.
     *
     * @throws InvalidRequestException naming the column whose field is missing, there twice, or
     *     named almost the same
     */
    public static Map<Cells, Integer> of(List<Cells> columns, List<String> names) {
        Matching matching = new Matching(names);
        Map<Cells, Integer> found = new LinkedHashMap<>();
        for (Cells column : columns) {
            int index = matching.indexOf(column);
            if (index >= 0) {
                found.put(column, index);
            }
        }
        if (found.isEmpty()) {
            throw columns.get(0)
                    .refusal(
                            "the input has no column of this or any other name that is asked for"
                                    + matching.all());
        }
        return found;
    }

    private int indexOf(Cells column) {
        int index = names.indexOf(column.name());
        if (index != names.lastIndexOf(column.name())) {
            throw column.refusal("the input has two columns of this name; rename one");
        }
        if (index >= 0) {
            return index;
        }
        for (String name : names) {
            if (name.equalsIgnoreCase(column.name())) {
                throw almost(column, name);
            }
        }
        if (column.isRequired()) {
            throw column.refusal("it is required, and the input does not have it" + all());
        }
        return -1;
    }

    /** The refusal of a name that differs from a column's only in its letters' case. */
    public static InvalidRequestException almost(Cells column, String name) {
        return column.refusal(
                "the input names it " + Names.printable(name) + "; names have to be equal");
    }

    private String all() {
        String some =
                names.stream()
                        .limit(NAMES_MAX)
                        .map(Names::printable)
                        .collect(Collectors.joining(", "));
        return names.isEmpty()
                ? "; it has none"
                : "; it has " + some + (names.size() > NAMES_MAX ? " and others" : "");
    }
}
