package io.batchweave.steps;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

/** Whether a table has the columns that rows of a fold need, at any depth, and no partitions. */
final class Shape {
    private final ViewTable kind;
    private final Table table;

    Shape(ViewTable kind, Table table) {
        this.kind = kind;
        this.table = table;
    }

    /** Why its rows cannot be ours; empty: they can. */
    Optional<String> unfitness() {
        if (table.spec().isPartitioned()) {
            return Optional.of("somebody has partitioned it");
        }
        return misfit().or(this::demanded);
    }

    /** A column of ours that is not what it was. */
    private Optional<String> misfit() {
        return names(kind.schema()).stream()
                .filter(name -> !isAsMade(name))
                .findFirst()
                .map(name -> "its column " + name + " is missing, or not what it was");
    }

    private boolean isAsMade(String name) {
        NestedField there = table.schema().findField(name);
        NestedField ours = kind.schema().findField(name);
        // Where nulls became possible, it was dropped and added again: what it held is gone.
        return there != null
                && (there.isRequired() || ours.isOptional())
                && isOfType(there.type(), ours.type());
    }

    private static boolean isOfType(Type there, Type ours) {
        return ours.isPrimitiveType() ? there.equals(ours) : there.typeId() == ours.typeId();
    }

    /** A column of somebody else that our rows would have to fill. */
    private Optional<String> demanded() {
        Collection<String> ours = names(kind.schema());
        return names(table.schema()).stream()
                .filter(name -> !ours.contains(name) && isWithin(ours, name))
                .filter(name -> table.schema().findField(name).isRequired())
                .findFirst()
                .map(name -> "somebody has added the required column " + name);
    }

    /** What lies in a column of somebody else need not be there if that is not. */
    private static boolean isWithin(Collection<String> ours, String name) {
        int end = name.lastIndexOf('.');
        return end < 0 || ours.contains(name.substring(0, end));
    }

    /** As SQL has them, such as {@code slices.element.rows}. */
    private static Collection<String> names(Schema schema) {
        Map<Integer, String> all = TypeUtil.indexNameById(schema.asStruct());
        return all.values();
    }
}
