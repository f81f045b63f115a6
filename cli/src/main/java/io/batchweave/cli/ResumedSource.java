package io.batchweave.cli;

import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import java.util.List;
import java.util.function.Function;

/**
 * The source of an ingest, opened at a place to look at what follows, and opened again to go on
 * only where that is needed: finding a place can mean reading inputs. Used by one thread.
 */
final class ResumedSource implements AutoCloseable {
    private final Function<Bytes, SliceSource> opener;
    private Bytes place;
    private SliceSource source;
    private boolean moved;
    private boolean closed;

    /**
     * Opens it.
     *
     * @param opener takes committed progress
     */
    ResumedSource(Function<Bytes, SliceSource> opener, Bytes place) {
        this.opener = opener;
        this.place = place;
        this.source = opener.apply(place);
    }

    /** Looks at the next slice, as {@link SliceSource#next} does. */
    boolean next() {
        moved = true;
        return source.next();
    }

    /** What the slice holds that was looked at. */
    List<Count> counts() {
        return source.counts();
    }

    /** The source at this place, which stays ours. */
    SliceSource at(Bytes wanted) {
        if (moved || !wanted.equals(place)) {
            close();
            source = opener.apply(wanted);
            closed = false;
            moved = false;
            place = wanted;
        }
        return source;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            source.close();
        }
    }
}
