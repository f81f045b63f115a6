package io.batchweave.cli.verify;

import io.batchweave.log.Log;
import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.state.Retention;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/** Every object of a dataset, and what it is there for. */
public final class Inventory {
    private final ObjectStore store;
    private final Layout layout;
    private final Log log;
    private final State state;
    private final Map<String, Long> steps = new HashMap<>();
    private final Set<String> segments = new HashSet<>();
    private final Set<Long> packs = new HashSet<>();

    /** What an object is there for. */
    public enum Purpose {
        /** Something that is kept needs it. */
        NEEDED,
        /** Nothing does, and it may still be committed, or its epoch may still write. */
        PENDING,
        /** Nothing can need it: a sweep deletes it. */
        SWEEPABLE,
        /** It is none of this format. */
        UNKNOWN
    }

    /** An object that nothing needs. */
    public record Left(String object, long bytes, Purpose purpose, String why) {}

    /**
     * @param log of which all is read
     */
    public Inventory(Log log) {
        this.log = log;
        this.store = log.store();
        this.layout = log.layout();
        this.state = log.state();
    }

    /** All objects but those that are needed. */
    public List<Left> left() {
        for (long step = 0; step < state.nextStep(); step++) {
            StepRecord record = log.step(step);
            for (int part = 0; part < record.batch().parts().size(); part++) {
                steps.put(layout.part(record.claim(), part), step);
            }
        }
        for (SegmentRef segment : state.steps().segments()) {
            segments.add(layout.segment(segment.firstStep(), segment.lastStep()));
        }
        List<Item> all = new ArrayList<>();
        store.listBelow(layout.root(), all::addAll);
        all.stream()
                .filter(item -> item.key().startsWith(layout.root() + "/packs/"))
                .forEach(item -> Layout.number(item.key()).ifPresent(packs::add));
        return all.stream()
                .map(this::judge)
                .filter(left -> left.purpose() != Purpose.NEEDED)
                .toList();
    }

    private Left judge(Item item) {
        String key = item.key();
        String[] below = key.substring(layout.root().length() + 1).split("/", 2);
        return switch (below[0]) {
            case "data" -> payload(item);
            case "log" -> commit(item);
            case "packs" -> known(item, isNumbered(item, layout::pack));
            case "state" -> known(item, isNumbered(item, layout::state));
            case "boundary" -> known(item, Layout.numbers(key).size() == 2);
            case "segments" -> known(item, segments.contains(key));
            case "acks" -> acknowledgement(item);
            case "probe" -> left(item, Purpose.UNKNOWN, "it was left by a probe of the store");
            default -> left(item, Purpose.UNKNOWN, "its name is none of this format");
        };
    }

    private Left payload(Item item) {
        Long step = steps.get(item.key());
        if (step != null && step >= state.lowStep()) {
            return left(item, Purpose.NEEDED, "");
        }
        if (step != null && step >= state.kept().sweptStep()) {
            return left(item, Purpose.SWEEPABLE, "step " + step + " is below the low step");
        }
        Optional<Claim> claimed = layout.claim(item.key());
        if (claimed.isEmpty()) {
            return known(item, false);
        }
        Claim claim = claimed.get();
        if (Retention.isOrphaned(claim, state)) {
            return left(item, Purpose.SWEEPABLE, "nothing can need " + claim + " any more");
        }
        return left(
                item,
                Purpose.PENDING,
                step == null
                        ? "for all that the log says, " + claim + " may still be committed"
                        : "step "
                                + step
                                + " was swept, and an upload that came late brought it back");
    }

    private Left commit(Item item) {
        boolean isCommit = isNumbered(item, layout::commit);
        return isCommit && packs.contains(Layout.number(item.key()).orElseThrow() / Layout.PACKED)
                ? left(item, Purpose.SWEEPABLE, "it is trimmed: a pack has it")
                : known(item, isCommit);
    }

    private Left acknowledgement(Item item) {
        String folder = layout.acknowledgements() + "/";
        String[] names = item.key().substring(folder.length()).split("/", -1);
        Optional<Long> session = names.length < 3 ? Optional.empty() : Layout.number(names[1]);
        if (session.isEmpty()) {
            return known(item, false);
        }
        boolean isOver =
                state.job(names[0])
                        .filter(job -> Retention.isOver(job, session.get(), state))
                        .isPresent();
        return isOver
                ? left(item, Purpose.SWEEPABLE, "its session is over")
                : left(item, Purpose.NEEDED, "");
    }

    private static Left known(Item item, boolean isKnown) {
        return isKnown
                ? left(item, Purpose.NEEDED, "")
                : left(item, Purpose.UNKNOWN, "its name is none of this format");
    }

    private static Left left(Item item, Purpose purpose, String why) {
        return new Left(item.key(), item.length(), purpose, why);
    }

    private static boolean isNumbered(Item item, LongFunction<String> key) {
        return Layout.number(item.key()).filter(n -> item.key().equals(key.apply(n))).isPresent();
    }
}
