package io.batchweave.catalog;

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

    /** Refuses a name that no namespace can have. */
    static void demand(Namespace namespace) {
        if (namespace.length() != 1) {
            throw new IllegalArgumentException(
                    "Cannot use namespace '%s': it has %d levels; use one"
                            .formatted(namespace, namespace.length()));
        }
        if (!isNamespace(namespace)) {
            throw new IllegalArgumentException(
                    "Cannot use namespace '%s': %s".formatted(namespace, RULE));
        }
    }

    /** Refuses a name that no table can have. */
    static void demand(TableIdentifier table) {
        demand(table.namespace());
        if (!isName(table.name())) {
            throw new IllegalArgumentException("Cannot use table '%s': %s".formatted(table, RULE));
        }
    }

    static String folder(Namespace namespace) {
        return namespace.level(0);
    }

    static String folder(TableIdentifier table) {
        return folder(table.namespace()) + "/" + table.name();
    }
}
