package io.batchweave.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.cli.inputs.RowRun;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** How often the source of an ingest is opened. */
class ResumedSourceTest {
    private static final Bytes START = Bytes.EMPTY;
    private static final Bytes LATER = Bytes.copyOf(new byte[] {7});

    private final List<String> done = new ArrayList<>();

    @Test
    void whatWasOnlyOpenedIsUsed() {
        try (ResumedSource sources = new ResumedSource(this::open, LATER)) {
            sources.at(LATER);
        }

        assertThat(done).containsExactly("open 07", "close 07");
    }

    @Test
    void whatWasLookedAtIsOpenedAgain() {
        try (ResumedSource sources = new ResumedSource(this::open, LATER)) {
            assertThat(sources.next()).isTrue();
            sources.at(LATER);
        }

        assertThat(done).containsExactly("open 07", "next 07", "close 07", "open 07", "close 07");
    }

    @Test
    void anotherPlaceIsOpenedAndTheFirstClosedBefore() {
        try (ResumedSource sources = new ResumedSource(this::open, START)) {
            sources.at(LATER);
        }

        assertThat(done).containsExactly("open ", "close ", "open 07", "close 07");
    }

    @Test
    void whatCannotBeOpenedAgainIsClosedOnce() {
        try (ResumedSource sources = new ResumedSource(this::openStart, START)) {
            assertThatThrownBy(() -> sources.at(LATER)).isInstanceOf(IllegalStateException.class);
        }

        assertThat(done).containsExactly("open ", "close ");
    }

    private SliceSource openStart(Bytes place) {
        if (!place.equals(START)) {
            throw new IllegalStateException("changed");
        }
        return open(place);
    }

    private SliceSource open(Bytes place) {
        done.add("open " + place.toHex());
        return new SliceSource() {
            @Override
            public boolean next() {
                done.add("next " + place.toHex());
                return true;
            }

            @Override
            public VectorSchemaRoot slice() {
                throw new AssertionError("Nobody asks for it");
            }

            @Override
            public List<Count> counts() {
                return List.of();
            }

            @Override
            public List<RowRun> origins() {
                return List.of();
            }

            @Override
            public Bytes progress() {
                return place;
            }

            @Override
            public void close() {
                done.add("close " + place.toHex());
            }
        };
    }
}
