package io.batchweave.cli.schema;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.types.Types.NestedField;

/** What a column may be called: something that people can read, write and tell from another. */
final class ColumnNames {
    static final int CHARS_MAX = 255;

    private ColumnNames() {}

    /**
     * Looks at the fields of a struct and all below.
     *
     * @throws InvalidRequestException naming the first whose name cannot be used
     */
    static void check(List<NestedField> fields) {
        Map<String, String> known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (NestedField field : fields) {
            check(field.name());
            String twin = known.put(field.name(), field.name());
            if (twin != null) {
                throw refusal(
                        field.name(),
                        "it differs from '"
                                + Names.printable(twin)
                                + "' only in its letters' case, which SQL does not see; use another"
                                + " name");
            }
            if (field.type().isNestedType()) {
                check(field.type().asNestedType().fields());
            }
        }
    }

    private static void check(String name) {
        if (name.isBlank() || name.length() > CHARS_MAX) {
            throw refusal(
                    name,
                    "it has %d characters; use 1 to %d, not all of them white space"
                            .formatted(name.length(), CHARS_MAX));
        }
        name.codePoints()
                .filter(ColumnNames::isUnseen)
                .findFirst()
                .ifPresent(
                        unseen -> {
                            throw refusal(
                                    name,
                                    "it has the control character U+%04X; leave it out"
                                            .formatted(unseen));
                        });
    }

    private static boolean isUnseen(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    true;
            default -> false;
        };
    }

    private static InvalidRequestException refusal(String name, String why) {
        return new InvalidRequestException(
                "Cannot name a column '" + Names.printable(name) + "': " + why);
    }
}
