package io.batchweave.cli.rows;

import io.batchweave.cli.ingest.Finished;
import io.batchweave.cli.ingest.Input;
import io.batchweave.cli.ingest.Inputs;
import io.batchweave.model.Bytes;
import io.batchweave.payload.PayloadSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The rows of files, dealt to slices in their order, with the exact position between two of them.
 * Used by one thread.
 */
public final class RowSource implements AutoCloseable {
    /** While rows are passed over they are thrown away in pieces of about so many bytes. */
    private static final long PASSED_BYTES = 1 << 20;

    private final Inputs inputs;
    private final RowSettings settings;
    private final SliceRows slice;
    private Finished finished;
    private Input input;
    private Fingerprint fingerprint;
    private RowReader reader;
    private long rows;

    private RowSource(Inputs inputs, RowSettings settings, SliceRows slice) {
        this.inputs = inputs;
        this.settings = settings;
        this.slice = slice;
    }

    /**
     * Finds the files, folders (with every file below them whose name's ending is known) and
     * patterns that {@code arguments} name.
     *
     * @throws io.batchweave.errors.InvalidRequestException if an argument names no file, or two of
     *     them the same
     */
    public static Inputs inputs(List<String> arguments) {
        return Inputs.of(arguments, RowInput::isReadFromFolders, RowInput.ENDINGS);
    }

    /**
     * Opens every input for a moment, so that one whose columns do not fit is refused before
     * anything is published.
     *
     * @throws io.batchweave.errors.InvalidRequestException naming the first that cannot be ingested
     */
    public static void check(Inputs inputs, PayloadSchema schema, BufferAllocator allocator) {
        try (SliceRows slice = new SliceRows(schema, allocator)) {
            for (int index = 0; index < inputs.size(); index++) {
                Input input = inputs.file(index);
                RowInput.of(input).open(input, slice).close();
            }
        }
    }

    /**
     * Begins at the first row.
     *
     * @param allocator of the slice
     * @throws io.batchweave.errors.InvalidRequestException if the first input cannot be ingested
     */
    public static RowSource start(
            Inputs inputs, RowSettings settings, PayloadSchema schema, BufferAllocator allocator) {
        RowSource source = new RowSource(inputs, settings, new SliceRows(schema, allocator));
        return source.opened(() -> source.open(Finished.NOTHING));
    }

    /**
     * Goes on behind the last row of committed progress.
     *
     * @param progress what {@link #progress} gave
     * @throws io.batchweave.errors.InvalidRequestException if the settings or what lies before the
     *     position have changed
     */
    public static RowSource resume(
            Inputs inputs,
            RowSettings settings,
            PayloadSchema schema,
            BufferAllocator allocator,
            Bytes progress) {
        RowProgress committed = RowProgress.decode(progress);
        RowResumption resumption = new RowResumption(inputs, committed.position());
        resumption.check(committed.settings(), settings);
        RowSource source = new RowSource(inputs, settings, new SliceRows(schema, allocator));
        return source.opened(
                () -> {
                    source.open(committed.position().finished());
                    source.pass(committed.position().rows(), resumption);
                });
    }

    /**
     * The next rows; they are valid until the next call. A slice that is not full is the last with
     * rows in it: all that follow have none, so that every rank of the last batch gets one.
     *
     * @throws io.batchweave.errors.InvalidRequestException naming file, place and column, if an
     *     input is damaged or does not fit the schema
     */
    public VectorSchemaRoot next() {
        slice.clear();
        while (!settings.isFull(slice)) {
            if (reader.read()) {
                rows++;
            } else if (finished.inputs() + 1 < inputs.size()) {
                openNext();
            } else {
                break;
            }
        }
        return slice.root();
    }

    /**
     * Where it is, to be committed together with all slices given out so far and given to {@link
     * #resume} later. Equal inputs and slices give equal bytes.
     */
    public Bytes progress() {
        return new RowProgress(settings, at()).encode();
    }

    /** Where it is, for people. */
    public String position() {
        return at().describe();
    }

    private RowPosition at() {
        return new RowPosition(
                finished, input.name(), fingerprint.size(), fingerprint.digest(), rows);
    }

    private void openNext() {
        Finished next = finished.with(input.name(), fingerprint.size());
        reader.close();
        open(next);
    }

    private void open(Finished before) {
        finished = before;
        input = inputs.file(before.inputs());
        fingerprint = Fingerprint.of(input);
        reader = RowInput.of(input).open(input, slice);
        rows = 0;
    }

    private void pass(long count, RowResumption resumption) {
        rows = reader.leap(count);
        while (rows < count) {
            if (!reader.read()) {
                throw resumption.refusal("it has only " + rows + " rows");
            }
            rows++;
            if (slice.bytes() > PASSED_BYTES) {
                slice.clear();
            }
        }
        slice.clear();
    }

    /** Lets go of everything if the work fails. */
    private RowSource opened(Runnable work) {
        try {
            work.run();
            return this;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
        }
        slice.close();
    }
}
