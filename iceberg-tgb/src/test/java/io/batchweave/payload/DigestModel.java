package io.batchweave.payload;

import io.batchweave.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The logical digest as the specification tells it, taken from plain content and Iceberg's schema,
 * with no Arrow and nothing of the code it checks.
 */
final class DigestModel {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private DigestModel() {}

    static Bytes of(RandomSlice slice) {
        DigestModel model = new DigestModel();
        List<NestedField> fields = slice.schema().iceberg().columns();
        model.out.writeBytes("BWSLICE1".getBytes(StandardCharsets.US_ASCII));
        model.number(slice.rows().size(), 8);
        model.number(fields.size(), 4);
        model.structs(fields, new ArrayList<>(slice.rows()));
        return Bytes.copyOf(Bytes.sha256().digest(model.out.toByteArray()));
    }

    /** Slots that are null are absent. */
    private void field(NestedField field, List<Object> slots) {
        Type type = field.type();
        List<NestedField> children = type.isNestedType() ? type.asNestedType().fields() : List.of();
        String name = name(type);
        number(field.fieldId(), 4);
        number(children.size(), 4);
        number(name.length(), 4);
        out.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        number(slots.size(), 8);
        long absent = slots.stream().filter(slot -> slot == null).count();
        number(absent, 8);
        if (absent > 0) {
            bits(slots.stream().map(slot -> slot != null).toList());
        }
        switch (type.typeId()) {
            case STRUCT -> structs(children, slots);
            case LIST -> {
                ends(slots);
                field(children.get(0), elements(slots));
            }
            case MAP -> {
                ends(slots);
                structs(children, elements(slots));
            }
            case STRING, BINARY -> {
                ends(slots);
                slots.stream().filter(s -> s != null).forEach(s -> out.writeBytes((byte[]) s));
            }
            case BOOLEAN ->
                    bits(slots.stream().map(slot -> slot != null && (Boolean) slot).toList());
            default -> slots.forEach(s -> out.writeBytes(s == null ? zeros(type) : (byte[]) s));
        }
    }

    private void structs(List<NestedField> fields, List<Object> structs) {
        for (int i = 0; i < fields.size(); i++) {
            List<Object> slots = new ArrayList<>();
            for (Object struct : structs) {
                slots.add(struct == null ? null : ((List<?>) struct).get(i));
            }
            field(fields.get(i), slots);
        }
    }

    private static List<Object> elements(List<Object> lists) {
        List<Object> elements = new ArrayList<>();
        lists.stream().filter(list -> list != null).forEach(l -> elements.addAll((List<?>) l));
        return elements;
    }

    private void ends(List<Object> slots) {
        int end = 0;
        number(end, 4);
        for (Object slot : slots) {
            if (slot instanceof byte[] bytes) {
                end += bytes.length;
            } else if (slot != null) {
                end += ((List<?>) slot).size();
            }
            number(end, 4);
        }
    }

    private void bits(List<Boolean> bits) {
        for (int i = 0; i < bits.size(); i += 8) {
            int octet = 0;
            for (int j = i; j < Math.min(i + 8, bits.size()); j++) {
                octet |= bits.get(j) ? 1 << (j - i) : 0;
            }
            out.write(octet);
        }
    }

    private void number(long value, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value);
        out.write(buffer.array(), 0, bytes);
    }

    private static byte[] zeros(Type type) {
        return new byte
                [switch (type.typeId()) {
                    case INTEGER, FLOAT, DATE -> 4;
                    case DECIMAL, UUID -> 16;
                    case FIXED -> ((Types.FixedType) type).length();
                    default -> 8;
                }];
    }

    private static String name(Type type) {
        return switch (type.typeId()) {
            case STRUCT, LIST, MAP, TIMESTAMP, TIMESTAMP_NANO ->
                    type.toString().replaceAll("<.*", "");
            case UUID -> "fixed[16]";
            default -> type.toString().replace(" ", "");
        };
    }
}
