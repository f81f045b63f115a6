package io.batchweave.cli.rows;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.Local;
import io.batchweave.cli.schema.SchemaArgument;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** Rows that a log speaks of, which need not be there. */
class OriginalRowsTest {
    @Test
    void asManyRowsAsTheLogClaimsAreNotLookedFor() {
        Source source = new Source("/a.jsonl", 9, Bytes.digestOf(Bytes.sha256()), 0);
        for (long rows : List.of((1L << 20) + 1, Long.MAX_VALUE)) {
            Provenance claimed =
                    new Provenance(List.of(source), List.of(new SourceRows(0, 0, 0, rows, 1)));
            try (BufferAllocator allocator = new RootAllocator()) {
                OriginalRows original =
                        OriginalRows.of(Local.LOCATIONS, SchemaArgument.parse("n:int"), allocator);

                assertThatThrownBy(() -> original.read(claimed, claimed.rows()))
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessage(
                                "Cannot read all of these rows again: there are more than 1048576 of"
                                        + " them; name one --slice");
            }
        }
    }

    @Test
    void aSourceWhoseDigestNobodyToldIsNotTakenForAny() {
        Provenance unknown =
                new Provenance(
                        List.of(new Source("/a.jsonl", 0, Bytes.EMPTY, 0)),
                        List.of(new SourceRows(0, 0, 0, 1, 1)));
        try (BufferAllocator allocator = new RootAllocator()) {
            OriginalRows original =
                    OriginalRows.of(Local.LOCATIONS, SchemaArgument.parse("n:int"), allocator);

            assertThatThrownBy(() -> original.read(unknown, unknown.rows()))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("its producer did not tell its digest");
        }
    }
}
