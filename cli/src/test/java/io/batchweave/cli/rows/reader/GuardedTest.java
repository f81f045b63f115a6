package io.batchweave.cli.rows.reader;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.io.IOException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

/** What is told of a library that fails. */
class GuardedTest {
    private static final String PLACE = "a.parquet row group 2 row 5, column c";

    @Test
    void aHeapThatIsTooSmallIsCalledThatWhereverItIsFoundOut() {
        assertThatThrownBy(
                        () ->
                                failing(
                                        () -> {
                                            throw new OutOfMemoryError("Java heap space");
                                        }))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest " + PLACE + ": it needs more memory than the heap of ")
                .hasMessageContaining("run with BATCHWEAVE_JAVA_OPTS=-Xmx");
        assertThatThrownBy(
                        () ->
                                failing(
                                        () -> {
                                            throw new IllegalStateException(
                                                    new OutOfMemoryError("Java heap space"));
                                        }))
                .hasMessageContaining("needs more memory than the heap");
    }

    @Test
    void memoryOutsideOfTheHeapIsCalledThat() {
        assertThatThrownBy(
                        () ->
                                failing(
                                        () -> {
                                            throw new OutOfMemoryException("Unable to allocate 9");
                                        }))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(
                        "Cannot ingest "
                                + PLACE
                                + ": it needs more memory than one record batch is given (Unable to"
                                + " allocate 9)");
    }

    @Test
    void whatCannotBeReadIsNotCalledDamaged() {
        UnavailableException ours = new UnavailableException("Cannot read a.parquet: no");

        assertThatThrownBy(
                        () ->
                                failing(
                                        () -> {
                                            throw new IOException(ours);
                                        }))
                .isSameAs(ours);
    }

    private static void failing(Guarded.Work<Object> work) {
        Guarded.call(() -> PLACE, work);
    }
}
