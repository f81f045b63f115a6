package io.batchweave.payload;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * One field of a payload schema, at any depth, with all that is needed to carry its values.
 *
 * @param path names from the top, such as {@code images.element.width}, fit for messages
 * @param id the Iceberg field id, or {@link #NO_ID}
 * @param type the name of the type as the logical digest spells it
 * @param width bytes of one value of the form {@link Form#FIXED}, otherwise 0
 * @param size bytes or elements that each value found by offsets must have, for it is a tensor; 0
 *     if it may have any
 * @param field the field in Arrow's terms
 */
record Column(
        String path,
        int id,
        String type,
        Form form,
        int width,
        int size,
        Field field,
        List<Column> children) {
    /** The key of a field's id in its Arrow metadata, as Parquet and Iceberg tools know it. */
    static final String ID_KEY = "PARQUET:field_id";

    /** The key of what a column that is a tensor says of it in its Arrow metadata. */
    static final String TENSOR_KEY = "batchweave.tensor";

    /** The id of what is a field in Arrow but not in Iceberg: the entries of a map. */
    static final int NO_ID = -1;

    /** How the values of a type lie in memory. */
    enum Form {
        /** One bit each. */
        BITS,
        /** The same number of bytes each. */
        FIXED,
        /** Any number of bytes each, found by offsets. */
        BYTES,
        /** Any number of slots of one child each, found by offsets; maps are lists of entries. */
        LIST,
        /** One slot of every child each. */
        STRUCT
    }

    Column {
        children = List.copyOf(children);
    }

    /**
     * This column, each of whose values is a tensor.
     *
     * @param newSize as above
     */
    Column asTensor(Tensor tensor, int newSize) {
        Map<String, String> metadata = new TreeMap<>(field.getMetadata());
        metadata.put(TENSOR_KEY, Tensors.metadata(tensor));
        FieldType fieldType = new FieldType(field.isNullable(), field.getType(), null, metadata);
        Field marked = new Field(field.getName(), fieldType, field.getChildren());
        return new Column(path, id, type, form, width, newSize, marked, children);
    }

    /** Whether every slot must hold a value, wherever what surrounds it does. */
    boolean required() {
        return !field.isNullable();
    }

    /** What {@link #size} counts, for messages. */
    String unit() {
        return form == Form.LIST ? "elements" : "bytes";
    }

    /** Children in Iceberg's sense: a map has two. */
    int fields() {
        return field.getType().getTypeID() == ArrowTypeID.Map
                ? children.get(0).children().size()
                : children.size();
    }

    @Override
    public String toString() {
        return id == NO_ID ? path : path + " (field id " + id + ")";
    }
}
