package io.batchweave.cli.rows.arrow;

import io.batchweave.cli.rows.cells.Cells;
import io.batchweave.cli.rows.cells.Matching;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.iceberg.types.Type.TypeID;

/** Finds how an Arrow vector is copied to a column, or refuses what would lose something. */
public final class ArrowColumns {
    private final DictionaryProvider dictionaries;

    public ArrowColumns(DictionaryProvider dictionaries) {
        this.dictionaries = dictionaries;
    }

    /** The copies of all columns of a row or struct; the columns without a field get nulls. */
    public ArrowCopy fields(List<Cells> columns, List<FieldVector> vectors) {
        List<String> names = vectors.stream().map(FieldVector::getName).toList();
        Map<Cells, Integer> found = Matching.of(columns, names);
        return new ArrowNested.Fields(
                found.entrySet().stream()
                        .map(match -> of(vectors.get(match.getValue()), match.getKey()))
                        .toList());
    }

    /** The copy of one vector to one column. */
    ArrowCopy of(FieldVector source, Cells target) {
        DictionaryEncoding encoding = source.getField().getDictionary();
        if (encoding != null) {
            return decoded(source, encoding, target);
        }
        if (source instanceof ExtensionTypeVector<?> extension) {
            return of((FieldVector) extension.getUnderlyingVector(), target);
        }
        if (source instanceof NullVector) {
            return new ArrowNested.Nulls(target);
        }
        TypeID wanted = target.type().typeId();
        if (wanted == TypeID.STRUCT && source instanceof StructVector struct) {
            return new ArrowNested.Struct(
                    struct, target, fields(target.children(), struct.getChildrenFromFields()));
        }
        if (wanted == TypeID.MAP && source instanceof MapVector map) {
            return map(map, target);
        }
        if (target.takesLists() && isList(source)) {
            ArrowTensors.checkShape(source.getField(), target);
            FieldVector elements = source.getChildrenFromFields().get(0);
            return new ArrowNested.Lists(
                    source, target, List.of(of(elements, target.children().get(0))));
        }
        return ArrowValues.of(source, target).orElseThrow(() -> unfit(source, target));
    }

    private static boolean isList(FieldVector source) {
        return (source instanceof ListVector && !(source instanceof MapVector))
                || source instanceof LargeListVector
                || source instanceof FixedSizeListVector;
    }

    private ArrowCopy map(MapVector source, Cells target) {
        FieldVector entries = source.getChildrenFromFields().get(0);
        List<FieldVector> pair = entries.getChildrenFromFields();
        if (pair.size() != 2) {
            throw unfit(source, target);
        }
        return new ArrowNested.Lists(
                source,
                target,
                List.of(
                        of(pair.get(0), target.children().get(0)),
                        of(pair.get(1), target.children().get(1))));
    }

    private ArrowCopy decoded(FieldVector source, DictionaryEncoding encoding, Cells target) {
        Dictionary dictionary = dictionaries.lookup(encoding.getId());
        if (dictionary == null || !(source instanceof BaseIntVector indices)) {
            throw target.refusal("the input has no dictionary of id " + encoding.getId());
        }
        FieldVector values = dictionary.getVector();
        return new ArrowNested.Decoded(source, indices, values, of(values, target), target);
    }

    static InvalidRequestException unfit(FieldVector source, Cells target) {
        return target.refusal(
                "it is "
                        + target.declared()
                        + " and the input's is "
                        + Names.printable(source.getField().getType().toString())
                        + ", which does not fit without loss; convert it, or declare another type");
    }
}
