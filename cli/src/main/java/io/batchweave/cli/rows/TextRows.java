package io.batchweave.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.feed.OrderedInputs;
import io.batchweave.cli.rows.feed.RowFeed;
import io.batchweave.cli.rows.feed.RowInput;
import io.batchweave.cli.rows.feed.RowPosition;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.cli.tokens.Unit;
import io.batchweave.cli.tokens.Units;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The texts in rows, each a document: the named columns of Parquet, Arrow and JSON lines, joined by
 * line feeds, and text files as they are. So texts can come in every order that rows can.
 */
public final class TextRows implements Units {
    private static final long KEPT_BYTES = 1 << 16;

    private final OrderedInputs inputs;
    private final SliceRows slice;
    private final RowFeed feed;
    private RowPosition before;

    private TextRows(OrderedInputs inputs, SliceRows slice, RowFeed feed) {
        this.inputs = inputs;
        this.slice = slice;
        this.feed = feed;
        this.before = feed.position();
    }

    /**
     * Finds the files, folders (with every file below them whose name's ending is known) and
     * patterns that {@code arguments} name, by paths or URIs.
     *
     * @throws InvalidRequestException if an argument names no file, or two of them the same
     */
    public static Inputs inputs(Locations locations, List<String> arguments) {
        return Inputs.of(
                locations, arguments, RowInput::isTextReadFromFolders, RowInput.TEXT_ENDINGS);
    }

    /** Whether some input can be read only as rows: it is neither text nor plain JSON lines. */
    public static boolean areNeededFor(Inputs inputs) {
        return anyOf(inputs, kind -> kind != RowInput.TEXT && kind != RowInput.JSONL);
    }

    /** Whether such an ingest committed this progress. */
    public static boolean wrote(Bytes progress) {
        return TextProgress.JSON.wrote(progress);
    }

    /**
     * Looks at every input, as {@link OrderedInputs#of} does.
     *
     * @param fields the columns that hold the text
     * @throws InvalidRequestException naming the first that cannot be ingested
     */
    public static OrderedInputs ordered(
            Inputs inputs, List<String> fields, RowOrder order, BufferAllocator allocator) {
        if (fields.isEmpty() && anyOf(inputs, kind -> kind != RowInput.TEXT)) {
            throw new InvalidRequestException(
                    "Cannot ingest the texts in rows without --field: name the columns that hold"
                            + " the text");
        }
        return OrderedInputs.ofTexts(inputs, order, schema(fields), allocator);
    }

    private interface Kinds {
        boolean include(RowInput kind);
    }

    private static boolean anyOf(Inputs inputs, Kinds kinds) {
        for (int index = 0; index < inputs.size(); index++) {
            if (kinds.include(RowInput.ofText(inputs.file(index)))) {
                return true;
            }
        }
        return false;
    }

    static PayloadSchema schema(List<String> fields) {
        List<NestedField> columns = new ArrayList<>();
        for (String field : fields.isEmpty() ? List.of("text") : fields) {
            columns.add(NestedField.required(columns.size() + 1, field, Types.StringType.get()));
        }
        return PayloadSchema.of(new Schema(columns));
    }

    /**
     * Begins with the first token.
     *
     * @throws InvalidRequestException if the inputs hold no document
     */
    public static TokenSource start(OrderedInputs inputs, IngestSettings settings) {
        return TokenSource.start(open(inputs, inputs::start), settings);
    }

    /**
     * Goes on behind the last token that {@code progress} covers.
     *
     * @throws InvalidRequestException if the settings, the order or what lies before the position
     *     have changed
     */
    public static TokenSource resume(
            OrderedInputs inputs, IngestSettings settings, Bytes progress) {
        TextProgress committed = TextProgress.decode(progress);
        settings.checkSame(committed.settings());
        TextRows rows =
                open(
                        inputs,
                        slice -> inputs.resume(slice, committed.order(), committed.position()));
        return TokenSource.resume(rows, settings, committed.tokens());
    }

    private interface Opener {
        RowFeed open(SliceRows slice);
    }

    private static TextRows open(OrderedInputs inputs, Opener opener) {
        SliceRows slice = inputs.newSlice();
        try {
            return new TextRows(inputs, slice, opener.open(slice));
        } catch (RuntimeException e) {
            slice.close();
            throw e;
        }
    }

    @Override
    public Optional<Unit> next() {
        while (true) {
            before = feed.position();
            empty();
            if (!feed.read()) {
                return Optional.empty();
            }
            String text = text();
            if (!text.isEmpty()) {
                return Optional.of(
                        Unit.document(feed.origin().describe(), feed.origin().told(), text));
            }
        }
    }

    /** Clearing takes as long as the memory is large, and a long text is followed by short ones. */
    private void empty() {
        if (slice.bytes() > KEPT_BYTES) {
            slice.detach().close();
        } else {
            slice.clear();
        }
    }

    private String text() {
        List<FieldVector> columns = slice.root().getFieldVectors();
        int texts = feed.origin().kind() == RowInput.TEXT ? 1 : columns.size();
        return columns.stream()
                .limit(texts)
                .map(column -> new String(((VarCharVector) column).get(0), UTF_8))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public Place behind() {
        return place(feed.position(), 0);
    }

    @Override
    public Place within(long tokens) {
        return place(before, tokens);
    }

    private Place place(RowPosition position, long tokens) {
        return new Place() {
            @Override
            public Bytes progress(IngestSettings settings) {
                return new TextProgress(
                                TextProgress.JSON.format(),
                                settings,
                                inputs.order(),
                                position,
                                tokens)
                        .encode();
            }

            @Override
            public String describe() {
                return position.describe() + (tokens == 0 ? "" : " and " + tokens + " tokens");
            }
        };
    }

    @Override
    public void close() {
        feed.close();
        slice.close();
    }
}
