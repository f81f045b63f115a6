package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a batch may say of where it comes from. */
@Tag("CODEC-5")
class ProvenanceTest {
    private static final Source SOURCE = new Source("a.parquet", 0, Bytes.EMPTY, 0);

    @Test
    void aProducerNeedNotTell() {
        assertThat(new GlobalBatch(0, Entries.batch(1, 1).parts(), List.of()).provenance())
                .isEqualTo(Provenance.NONE);
    }

    @Test
    void anInputHasANameOfALengthThatCanBeStored() {
        String longest = "\u00e9".repeat(Source.INPUT_BYTES_MAX / 2);
        assertThat(new Source(longest, 0, Bytes.EMPTY, 0).input()).isEqualTo(longest);
        for (String name : List.of("", longest + "a")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Source(name, 0, Bytes.EMPTY, 0))
                    .withMessageStartingWith("Invalid source: the name of its input has ")
                    .withMessageEndingWith(" bytes; 1 to 4096 are allowed");
        }
    }

    @Test
    void aDigestIsWholeOrNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Source("a", 0, Bytes.copyOf(new byte[20]), 0))
                .withMessage("Invalid source: a digest of 20 bytes");
    }

    @Test
    void bytesAndEpochsCountFromZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Source("a", 0, Bytes.EMPTY, -1))
                .withMessage("Invalid source: 0 bytes, epoch -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Source("a", -1, Bytes.EMPTY, 0))
                .withMessage("Invalid source: -1 bytes, epoch 0");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 1, 0",
        "0, -1, 0, 1, 0",
        "0, 0, -1, 1, 0",
        "0, 0, 0, 0, 0",
        "0, 0, 1, 9223372036854775807, 0",
        "0, 0, 0, 1, -1",
    })
    void rowsThatCannotBeAreRefused(int slice, int source, long first, long rows, long amount) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SourceRows(slice, source, first, rows, amount))
                .withMessageStartingWith(
                        "Invalid rows of a source: " + rows + " from row " + first);
    }

    @Test
    void rowsAreOfASourceThatIsThere() {
        List<SourceRows> rows =
                List.of(new SourceRows(0, 0, 0, 1, 1), new SourceRows(0, 1, 5, 2, 0));
        assertThat(new Provenance(List.of(SOURCE, SOURCE), rows).rows()).isEqualTo(rows);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Provenance(List.of(SOURCE), rows))
                .withMessage("Invalid provenance: rows of source 1 of 1");
    }

    @Test
    void rowsFillASliceThatIsThere() {
        List<Part> parts = Entries.batch(1, 2).parts();
        Provenance inside = new Provenance(List.of(SOURCE), List.of(new SourceRows(1, 0, 0, 1, 1)));
        Provenance beyond = new Provenance(List.of(SOURCE), List.of(new SourceRows(2, 0, 0, 1, 1)));
        assertThat(new GlobalBatch(0, parts, List.of(), inside).provenance()).isEqualTo(inside);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GlobalBatch(0, parts, List.of(), beyond))
                .withMessage("Invalid global batch: rows fill a slice beyond its 2");
    }
}
