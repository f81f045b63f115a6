package io.batchweave.steps;

import io.batchweave.errors.CorruptException;
import io.batchweave.log.Log;
import io.batchweave.model.Commit;
import io.batchweave.state.Applied;
import io.batchweave.state.State;
import java.util.Map.Entry;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The log as it is applied one commit after the other, so that it is known of each entry what
 * became of it.
 */
final class Replay {
    /** So many States are remembered, in case that what was read last must be read again. */
    private static final int REMEMBERED = 4;

    private final Log log;

    /** By their versions. */
    private final NavigableMap<Long, State> remembered = new TreeMap<>();

    private Optional<State> state = Optional.empty();

    private long quietFrom = -1;
    private long quietTo = -1;

    Replay(Log log) {
        this.log = log;
    }

    /** The version up to which it is applied; -1: none. */
    long version() {
        return state.map(State::version).orElse(-1L);
    }

    /** Between these versions, without the first and with the last, there is no event. */
    void quiet(long from, long to) {
        quietFrom = from > quietTo ? from : quietFrom;
        quietTo = Math.max(to, quietTo);
    }

    /** The version whose events are the last that a table has, which has those of a version. */
    long throughQuiet(long version) {
        return version >= quietFrom ? Math.max(version, quietTo) : version;
    }

    /** Goes to this version, or as near before it as it can. */
    void seek(long version) {
        state.ifPresent(this::remember);
        state = Optional.ofNullable(remembered.floorEntry(version)).map(Entry::getValue);
    }

    /** The newest State that it has of a version that is not beyond this one. */
    Optional<State> floor(long version) {
        return state.filter(each -> each.version() <= version)
                .or(() -> Optional.ofNullable(remembered.floorEntry(version)).map(Entry::getValue));
    }

    /** Remembers a State, which it can go on from. */
    void remember(State known) {
        remembered.put(known.version(), known);
        while (remembered.size() > REMEMBERED) {
            remembered.pollFirstEntry();
        }
    }

    /** The commit of a version that is there. */
    Commit read(long version) {
        return log.read(version).orElseThrow(() -> lost(version));
    }

    private CorruptException lost(long version) {
        return new CorruptException(
                "Cannot fold %s: its log has no version %d, and there are commits behind it; restore it"
                        .formatted(log.layout().dataset(), version));
    }

    /** Applies the commit of the next version. */
    Applied apply(Commit next) {
        Applied applied =
                state.map(before -> before.apply(next)).orElseGet(() -> State.first(next));
        state = Optional.of(applied.state());
        return applied;
    }
}
