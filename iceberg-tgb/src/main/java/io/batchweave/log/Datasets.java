package io.batchweave.log;

import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which datasets lie in a warehouse; those that were dropped do not. */
public final class Datasets {
    /**
     * A dataset always has one of these: its commits, or a State and a boundary behind those that
     * were trimmed.
     */
    private static final Set<String> SIGNS = Set.of("log", "state", "boundary");

    private Datasets() {}

    /** All of them, in the order of their names: a listing for each folder that may be one. */
    public static List<DatasetName> in(ObjectStore store) {
        List<DatasetName> found = new ArrayList<>();
        for (String namespace : store.list("", "").folders()) {
            found.addAll(in(namespace, store));
        }
        return found;
    }

    /** Those of a namespace; none if there is no such namespace. */
    public static List<DatasetName> in(String namespace, ObjectStore store) {
        return store.list(namespace, "").folders().stream()
                .map(folder -> name(namespace, folder))
                .flatMap(Optional::stream)
                .filter(name -> isThere(name, store))
                .toList();
    }

    /** What other programs have put beside datasets may have any name. */
    private static Optional<DatasetName> name(String namespace, String folder) {
        try {
            return Optional.of(new DatasetName(namespace, folder));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean isThere(DatasetName name, ObjectStore store) {
        List<String> folders = store.list(new Layout(name).root(), "").folders();
        return folders.stream().anyMatch(SIGNS::contains)
                && !(folders.contains("boundary") && Tombstone.of(name, store).isPresent());
    }
}
