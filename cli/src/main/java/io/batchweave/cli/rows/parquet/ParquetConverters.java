package io.batchweave.cli.rows.parquet;

import io.batchweave.cli.rows.cells.Cells;
import java.util.List;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;

/** What Parquet tells of the groups of a row, turned into cells. Nulls are not told. */
final class ParquetConverters {
    private ParquetConverters() {}

    /** A row, or the fields of what another converter begins and ends. */
    static final class Fields extends GroupConverter {
        private final List<Converter> fields;

        Fields(List<Converter> fields) {
            this.fields = List.copyOf(fields);
        }

        @Override
        public Converter getConverter(int index) {
            return fields.get(index);
        }

        @Override
        public void start() {
            // Columns see the row's end by its slice.
        }

        @Override
        public void end() {
            // Columns see the row's end by its slice.
        }
    }

    /** A struct, a list or a map. */
    static final class Nested extends GroupConverter {
        private final Cells target;
        private final Fields fields;

        Nested(Cells target, Fields fields) {
            this.target = target;
            this.fields = fields;
        }

        @Override
        public Converter getConverter(int index) {
            return fields.getConverter(index);
        }

        @Override
        public void start() {
            target.open();
        }

        @Override
        public void end() {
            target.close();
        }
    }

    /** One element, or one key and value, of which what is not told is null. */
    static final class Repeated extends GroupConverter {
        private final List<Cells> targets;
        private final Fields fields;
        private int before;

        Repeated(List<Cells> targets, Fields fields) {
            this.targets = targets;
            this.fields = fields;
        }

        @Override
        public Converter getConverter(int index) {
            return fields.getConverter(index);
        }

        @Override
        public void start() {
            before = targets.get(0).count();
        }

        @Override
        public void end() {
            for (Cells target : targets) {
                if (target.count() == before) {
                    target.nothing();
                }
            }
        }
    }
}
