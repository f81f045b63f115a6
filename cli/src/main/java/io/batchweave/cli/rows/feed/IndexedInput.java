package io.batchweave.cli.rows.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Index;
import io.batchweave.cli.rows.reader.Stretch;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** An input all of which was read once, to learn where its rows lie. */
record IndexedInput(Input input, RowInput kind, Index index) {
    /** Names need not differ: they are below the arguments. What is equal in both is the same. */
    static final Comparator<IndexedInput> BY_NAME_AND_DIGEST =
            Comparator.<IndexedInput, byte[]>comparing(
                            each -> each.input().name().getBytes(UTF_8), Arrays::compareUnsigned)
                    .thenComparing(each -> each.fingerprint().digest());

    /**
     * Reads an input.
     *
     * @param slice has the columns that the input must have
     * @throws io.batchweave.errors.InvalidRequestException if it does not have them, or is damaged
     */
    static IndexedInput of(Input input, RowInput kind, SliceRows slice) {
        return new IndexedInput(input, kind, kind.index(input, slice));
    }

    Fingerprint fingerprint() {
        return index.fingerprint();
    }

    List<Stretch> stretches() {
        return index.stretches();
    }
}
