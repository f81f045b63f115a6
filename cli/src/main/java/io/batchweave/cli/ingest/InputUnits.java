package io.batchweave.cli.ingest;

import io.batchweave.model.Bytes;
import java.util.List;
import java.util.Optional;

/** The units of text files and JSONL files, in the order of the inputs. */
final class InputUnits implements Units {
    private final Inputs inputs;
    private final RecordText records;
    private Finished finished;
    private InputBytes bytes;
    private UnitReader reader;
    private long start;

    /**
     * Begins where {@code bytes} are, of the input after the {@code finished} ones; closes them.
     *
     * @param fields of JSON records, the ones that hold the text
     */
    InputUnits(Inputs inputs, List<String> fields, Finished finished, InputBytes bytes) {
        this.inputs = inputs;
        this.records = new RecordText(fields);
        this.finished = finished;
        this.bytes = bytes;
        this.reader = UnitReader.of(bytes, records);
    }

    @Override
    public Optional<Unit> next() {
        Optional<Unit> next = reader.next();
        while (next.isEmpty() && finished.inputs() + 1 < inputs.size()) {
            openNext();
            next = reader.next();
        }
        next.ifPresent(unit -> start = unit.start());
        return next;
    }

    private void openNext() {
        finished = finished.with(bytes.input().name(), bytes.offset());
        bytes.close();
        bytes = InputBytes.open(inputs.file(finished.inputs()));
        reader = UnitReader.of(bytes, records);
    }

    @Override
    public Place behind() {
        return place(bytes.offset(), 0);
    }

    @Override
    public Place within(long tokens) {
        return place(start, tokens);
    }

    private Place place(long from, long tokens) {
        Position position =
                new Position(
                        finished,
                        bytes.input().name(),
                        bytes.size(),
                        from,
                        bytes.offset(),
                        tokens,
                        bytes.digest().toHex());
        return new Place() {
            @Override
            public Bytes progress(IngestSettings settings) {
                return new IngestProgress(settings, position).encode();
            }

            @Override
            public String describe() {
                return position.describe();
            }
        };
    }

    @Override
    public void close() {
        bytes.close();
    }
}
