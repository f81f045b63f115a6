package io.batchweave.cli.verify;

import io.batchweave.log.Log;
import io.batchweave.model.Claim;
import io.batchweave.model.Layout;
import io.batchweave.state.Retention;
import io.batchweave.state.SegmentRef;
import io.batchweave.state.State;
import io.batchweave.state.StepRecord;
import io.batchweave.store.Listing;
import io.batchweave.store.Listing.Item;
import io.batchweave.store.ObjectStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every object of a dataset, and what it is there for. */
public final class Inventory {
    private static final Pattern NUMBERED = Pattern.compile(".*/(00[0-9]{18})");
    private static final Pattern PART =
            Pattern.compile(".*/([^/]+)/(00[0-9]{18})/00[0-9]{18}/(00[0-9]{18})(-[0-9]+)?\\.arrow");
    private static final Pattern ACKNOWLEDGEMENT =
            Pattern.compile(".*/acks/([^/]+)/(00[0-9]{18})/.*");

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
        list(layout.root(), all);
        all.stream()
                .filter(item -> item.key().startsWith(layout.root() + "/packs/"))
                .forEach(item -> number(item.key()).ifPresent(packs::add));
        return all.stream()
                .map(this::judge)
                .filter(left -> left.purpose() != Purpose.NEEDED)
                .toList();
    }

    private void list(String folder, List<Item> into) {
        Listing listing = store.list(folder, "");
        into.addAll(listing.objects());
        listing.folders().forEach(below -> list(folder + "/" + below, into));
    }

    private Left judge(Item item) {
        String key = item.key();
        String[] below = key.substring(layout.root().length() + 1).split("/", 2);
        return switch (below[0]) {
            case "data" -> payload(item);
            case "log" -> commit(item);
            case "packs" ->
                    known(item, number(key).filter(n -> key.equals(layout.pack(n))).isPresent());
            case "state" ->
                    known(item, number(key).filter(n -> key.equals(layout.state(n))).isPresent());
            case "boundary" -> known(item, key.matches(".*/00[0-9]{18}-00[0-9]{18}"));
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
        Matcher part = PART.matcher(item.key());
        if (!part.matches()) {
            return left(item, Purpose.UNKNOWN, "its name is none of this format");
        }
        Claim claim =
                new Claim(
                        part.group(1),
                        Long.parseLong(part.group(2)),
                        Long.parseLong(part.group(3)));
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
        Optional<Long> version =
                number(item.key()).filter(number -> item.key().equals(layout.commit(number)));
        return version.filter(number -> packs.contains(number / Layout.PACKED)).isPresent()
                ? left(item, Purpose.SWEEPABLE, "it is trimmed: a pack has it")
                : known(item, version.isPresent());
    }

    private Left acknowledgement(Item item) {
        Matcher name = ACKNOWLEDGEMENT.matcher(item.key());
        if (!name.matches()) {
            return known(item, false);
        }
        long session = Long.parseLong(name.group(2));
        boolean isOver =
                state.job(name.group(1)).filter(job -> Retention.isOver(job, session)).isPresent();
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

    private static Optional<Long> number(String key) {
        Matcher name = NUMBERED.matcher(key);
        return name.matches() ? Optional.of(Long.valueOf(name.group(1))) : Optional.empty();
    }
}
