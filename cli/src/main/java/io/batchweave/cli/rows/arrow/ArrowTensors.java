package io.batchweave.cli.rows.arrow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.model.Names;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType.ExtensionType;
import org.apache.arrow.vector.types.pojo.Field;

/** What Arrow's own extension type for tensors says of a list. */
final class ArrowTensors {
    private static final String NAME = "arrow.fixed_shape_tensor";
    private static final ObjectMapper JSON = new ObjectMapper();

    private ArrowTensors() {}

    /** Refuses a list that is said to be a tensor of another shape than the column's. */
    static void checkShape(Field source, Cells target) {
        boolean isTensor =
                NAME.equals(source.getMetadata().get(ExtensionType.EXTENSION_METADATA_KEY_NAME));
        if (!isTensor || target.shape().isEmpty()) {
            return;
        }
        String described =
                source.getMetadata()
                        .getOrDefault(ExtensionType.EXTENSION_METADATA_KEY_METADATA, "");
        try {
            JsonNode json = JSON.readTree(described);
            List<Integer> shape = new ArrayList<>();
            json.path("shape").forEach(size -> shape.add(size.asInt()));
            List<Integer> axes = new ArrayList<>();
            json.path("permutation").forEach(axis -> axes.add(axis.asInt()));
            boolean inOrder = axes.stream().sorted().toList().equals(axes);
            if (!shape.equals(target.shape()) || !inOrder) {
                throw target.refusal(
                        "its tensors have the shape "
                                + target.shape()
                                + " and the input's are described as "
                                + Names.printable(described));
            }
        } catch (JsonProcessingException e) {
            throw target.refusal(
                    "the input's tensors are described as "
                            + Names.printable(described)
                            + ", which is no JSON");
        }
    }
}
