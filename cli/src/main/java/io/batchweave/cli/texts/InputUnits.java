package io.batchweave.cli.texts;

import io.batchweave.cli.inputs.Finished;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.cli.tokens.Unit;
import io.batchweave.cli.tokens.Units;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * The units of text files and JSONL files, in the order of the inputs. Each is read only up to
 * where it is needed, and may be of any length.
 */
public final class InputUnits implements Units {
    private final Inputs inputs;
    private final RecordText records;
    private Finished finished;
    private InputBytes bytes;
    private UnitReader reader;
    private long start;

    /**
     * Begins with the first token.
     *
     * @throws InvalidRequestException if the inputs hold no document, or the settings do not suit
     *     them
     */
    public static TokenSource start(Inputs inputs, IngestSettings settings) {
        checkFields(inputs, settings);
        InputBytes bytes = InputBytes.open(inputs.file(0));
        return TokenSource.start(
                new InputUnits(inputs, settings.fields(), Finished.NOTHING, bytes), settings);
    }

    /**
     * Goes on behind the last row that {@code progress} covers. Reads the input it is in up to
     * there, to see that it is the same.
     *
     * @throws InvalidRequestException if the inputs no longer contain that position, or a setting
     *     has changed
     * @throws io.batchweave.errors.CorruptException if {@code progress} is not one of an ingest
     */
    public static TokenSource resume(Inputs inputs, IngestSettings settings, Bytes progress) {
        IngestProgress committed = IngestProgress.decode(progress);
        settings.checkSame(committed.settings());
        checkFields(inputs, settings);
        Position position = committed.position();
        InputBytes bytes = Resumption.open(inputs, position);
        return TokenSource.resume(
                new InputUnits(inputs, settings.fields(), position.finished(), bytes),
                settings,
                position.tokens());
    }

    private static void checkFields(Inputs inputs, IngestSettings settings) {
        Optional<Input> records =
                inputs.files().stream()
                        .filter(file -> InputKind.of(file) == InputKind.JSONL)
                        .findFirst();
        if (records.isPresent() && settings.fields().isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + records.get()
                            + " without --field: name the fields that hold the text; "
                            + fieldsOf(records.get()));
        }
        if (records.isEmpty() && !settings.fields().isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot ingest by --field "
                            + String.join(",", settings.fields())
                            + ": no input ends in .jsonl or .ndjson, and other text has no fields;"
                            + " leave it out");
        }
    }

    private static String fieldsOf(Input records) {
        try (InputBytes bytes = InputBytes.open(records)) {
            List<String> names = new JsonlUnits(bytes, new RecordText(List.of())).firstFields();
            return names.isEmpty()
                    ? "it has no record to show them"
                    : "its first record has " + String.join(", ", names);
        }
    }

    /**
     * Begins where {@code bytes} are, of the input after the {@code finished} ones; closes them.
     *
     * @param fields of JSON records, the ones that hold the text
     */
    private InputUnits(Inputs inputs, List<String> fields, Finished finished, InputBytes bytes) {
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
