package io.batchweave.catalog;

import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** What namespaces and tables may be called: the same as datasets, since all become folders. */
final class CatalogNames {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");

    private static final String RULE =
            "use 1 to 128 letters, digits, '_' or '-', starting with a letter or digit";

    private CatalogNames() {}

    static boolean isNamespace(Namespace namespace) {
        return namespace.length() == 1 && NAME.matcher(namespace.level(0)).matches();
    }

    static boolean isTable(TableIdentifier table) {
        return isNamespace(table.namespace()) && isName(table.name());
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Why a namespace cannot be made.
     *
     * @return nothing, if it can
     */
    static Optional<String> objection(Namespace namespace) {
        if (namespace.length() != 1) {
            return Optional.of(
                    "Cannot use namespace '%s': it has %d levels; use one"
                            .formatted(namespace, namespace.length()));
        }
        return isNamespace(namespace)
                ? Optional.empty()
                : Optional.of("Cannot use namespace '%s': %s".formatted(namespace, RULE));
    }

    /** Why a table cannot be made; nothing, if it can. */
    static Optional<String> objection(TableIdentifier table) {
        return objection(table.namespace())
                .or(
                        () ->
                                isName(table.name())
                                        ? Optional.empty()
                                        : Optional.of(
                                                "Cannot use table '%s': %s"
                                                        .formatted(table, RULE)));
    }

    static String folder(Namespace namespace) {
        return namespace.level(0);
    }

    static String folder(TableIdentifier table) {
        return folder(table.namespace()) + "/" + table.name();
    }
}
