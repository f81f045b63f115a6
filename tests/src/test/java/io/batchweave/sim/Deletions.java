package io.batchweave.sim;

import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import java.util.Collection;
import java.util.Optional;

/** What may be deleted, as the log is now. */
final class Deletions {
    private final Onlooker onlooker;
    private final Layout layout;
    private final LogModel log;

    Deletions(Onlooker onlooker, Layout layout) {
        this.onlooker = onlooker;
        this.layout = layout;
        this.log = LogModel.of(onlooker);
    }

    /** Why one of these objects may not be deleted. */
    Optional<String> objection(Collection<String> keys) {
        return keys.stream().map(this::objection).flatMap(Optional::stream).findFirst();
    }

    private Optional<String> objection(String key) {
        if (key.startsWith(layout.payload() + "/")) {
            return unless(
                    isUseless(layout.claim(key).orElseThrow()),
                    key + " was deleted, and it is needed");
        }
        if (key.startsWith(layout.commits() + "/")) {
            return unless(isTrimmed(number(key)), key + " was deleted, and nothing stands for it");
        }
        if (key.startsWith(layout.states() + "/")) {
            return unless(
                    newest(layout.states()) > number(key), key + " was deleted, the newest State");
        }
        return unless(
                key.startsWith(layout.acknowledgements() + "/"), key + " must never be deleted");
    }

    private static Optional<String> unless(boolean holds, String otherwise) {
        return holds ? Optional.empty() : Optional.of(otherwise);
    }

    /** It is of a step below the low step, or never committed and of an epoch that is over. */
    boolean isUseless(Claim claim) {
        for (int step = 0; step < log.steps().size(); step++) {
            if (log.steps().get(step).claim().equals(claim)) {
                return step < log.lowStep();
            }
        }
        return log.producer(claim.producer())
                .filter(
                        producer ->
                                producer.epoch() > claim.epoch()
                                        || (producer.epoch() == claim.epoch()
                                                && (producer.finished() || log.isSealed())))
                .isPresent();
    }

    /** TRIM-3, TRIM-8, TRIM-11: a boundary says so, a State stands for it, and a pack has it. */
    private boolean isTrimmed(long version) {
        long boundary = newest(layout.boundaries());
        return boundary >= version
                && newest(layout.states()) >= boundary
                && onlooker.wasCreated(layout.pack(version / Layout.PACKED));
    }

    private long newest(String folder) {
        return onlooker.list(folder, "").objects().stream()
                .mapToLong(item -> number(item.key()))
                .max()
                .orElse(-1);
    }

    private static long number(String key) {
        return Layout.numbers(key).get(0);
    }
}
