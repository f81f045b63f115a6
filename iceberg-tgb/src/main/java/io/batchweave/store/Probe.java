package io.batchweave.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Learns by trying what a store does (STORE-3). It writes in a folder of its own and removes what
 * it wrote.
 *
 * <p>A race can show that a store is not fit, and never prove that it is: what it lets pass once
 * may go wrong under more load.
 */
public final class Probe {
    private static final int OBJECT_BYTES_MAX = 1_024;
    private static final int TRIES_MAX = 3;

    private final ObjectStore store;
    private final String folder;
    private final Effort effort;
    private final List<String> written = new ArrayList<>();

    private Probe(ObjectStore store, String folder, Effort effort) {
        this.store = store;
        this.folder = folder;
        this.effort = effort;
    }

    /**
     * How hard to try.
     *
     * @param racers creators at the same time, each a thread
     * @param keys for which they race
     */
    public record Effort(int racers, int keys) {
        /** A second on a distant store: before the first write to a dataset. */
        public static final Effort QUICK = new Effort(8, 8);

        /** For who asks. */
        public static final Effort THOROUGH = new Effort(16, 25);
    }

    /**
     * Tries everything.
     *
     * @param folder nobody else's
     * @throws UnavailableException if the store does not answer in time, or lets nobody write
     */
    public static ProbeReport of(ObjectStore store, String folder, Effort effort) {
        return new Probe(store, folder, effort).run();
    }

    /**
     * Makes sure that a store honours conditions, by a quick probe.
     *
     * @param purpose what cannot be done otherwise, as in "create dataset train.x"
     * @throws InvalidRequestException if it does not
     * @throws UnavailableException if the store does not answer in time, or lets nobody write
     */
    public static void demandConditions(ObjectStore store, String folder, String purpose) {
        Optional<ProbeReport.Finding> broken =
                of(store, folder, Effort.QUICK).broken(ProbeReport.Use.WRITE);
        if (broken.isPresent()) {
            throw new InvalidRequestException(
                    "Cannot %s in %s: the store breaks a promise without which data is lost silently: that %s (%s); use another store, and see 'batchweave probe'"
                            .formatted(
                                    purpose,
                                    store.uri(),
                                    broken.get().check().promise(),
                                    broken.get().detail()));
        }
    }

    private ProbeReport run() {
        ProbeReport report;
        try {
            report = tried();
        } catch (RuntimeException e) {
            try {
                store.delete(written);
            } catch (RuntimeException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
        store.delete(written);
        return report;
    }

    private ProbeReport tried() {
        // Whether there is a server, and of the right kind, a listing tells more plainly.
        var unused = store.list(folder, "");
        List<ProbeReport.Finding> findings = new ArrayList<>();
        findings.add(existing(ProbeReport.Check.CREATE, "create/existing", this::create));
        findings.add(existing(ProbeReport.Check.UPLOAD, "upload/existing", this::uploadInParts));
        findings.add(race(ProbeReport.Check.CREATE_RACE, "create/race", this::create));
        findings.add(race(ProbeReport.Check.UPLOAD_RACE, "upload/race", this::uploadInParts));
        findings.addAll(visibility());
        return new ProbeReport(store.uri(), findings);
    }

    /** A way to create an object. */
    interface Way {
        Creation create(String key, String body);
    }

    private Creation create(String key, String body) {
        return store.create(key, ByteBuffer.wrap(body.getBytes(UTF_8)));
    }

    private Creation uploadInParts(String key, String body) {
        try (Upload upload = store.uploadInParts(key)) {
            upload.write(ByteBuffer.wrap(body.getBytes(UTF_8)));
            return upload.complete();
        }
    }

    private String key(String name) {
        String key = folder + "/" + name;
        written.add(key);
        return key;
    }

    /** What a store does not answer says nothing of it: another key is tried. */
    private ProbeReport.Finding existing(ProbeReport.Check check, String name, Way way) {
        Creation first = answered(name, way, "first");
        String key = written.get(written.size() - 1);
        Creation second = way.create(key, "second");
        String holds = text(key);
        boolean isBroken = second instanceof Creation.Done || holds.equals("second");
        if (second instanceof Creation.Unknown unknown && !isBroken) {
            throw unanswered(unknown);
        }
        return new ProbeReport.Finding(
                check,
                !isBroken && holds.equals("first"),
                "the first was %s, the second %s".formatted(word(first), word(second))
                        + (holds.equals("second") ? ", and replaced it" : ""));
    }

    /** A create that was answered; its key is the last that was written. */
    private Creation answered(String name, Way way, String body) {
        Creation creation = way.create(key(name), body);
        for (int again = 1; creation instanceof Creation.Unknown; again++) {
            if (again == TRIES_MAX) {
                throw unanswered((Creation.Unknown) creation);
            }
            creation = way.create(key(name + "-" + again), body);
        }
        return creation;
    }

    private UnavailableException unanswered(Creation.Unknown unknown) {
        return new UnavailableException(
                "Cannot probe %s: a create was not answered (%s); try again"
                        .formatted(store.uri(), unknown.cause().getMessage()),
                unknown.cause());
    }

    private ProbeReport.Finding race(ProbeReport.Check check, String name, Way way) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < effort.keys(); i++) {
            keys.add(key(name + "-" + i));
        }
        List<List<Creation>> outcomes = new ProbeRace(effort.racers()).run(keys, way);
        int broken = 0;
        for (int i = 0; i < keys.size(); i++) {
            broken += isFair(outcomes.get(i), text(keys.get(i))) ? 0 : 1;
        }
        return new ProbeReport.Finding(
                check,
                broken == 0,
                broken == 0
                        ? "%d at a time for %d keys".formatted(effort.racers(), keys.size())
                        : "of %d keys, %d were not won by one who then has it"
                                .formatted(keys.size(), broken));
    }

    /**
     * Nobody else's object is there than that of who was told to have won. Where nobody was, an
     * answer was lost: that of a create, or that of a completion which was then refused by itself.
     */
    private static boolean isFair(List<Creation> outcomes, String holds) {
        List<String> winners = new ArrayList<>();
        for (int racer = 0; racer < outcomes.size(); racer++) {
            if (outcomes.get(racer) instanceof Creation.Done) {
                winners.add(ProbeRace.bodyOf(racer));
            }
        }
        return winners.isEmpty() || winners.equals(List.of(holds));
    }

    private List<ProbeReport.Finding> visibility() {
        Creation creation = answered("visible/object", this::create, "0123456789");
        String key = written.get(written.size() - 1);
        boolean isRead = text(key).equals("0123456789") && rangeOf(key).equals("3456");
        boolean isListed = names(key).contains(key);
        store.delete(List.of(key));
        boolean isGone = text(key).isEmpty() && !names(key).contains(key);
        return List.of(
                new ProbeReport.Finding(
                        ProbeReport.Check.READ, isRead, "its create was " + word(creation)),
                new ProbeReport.Finding(
                        ProbeReport.Check.LIST, isListed, isListed ? "listed" : "not listed"),
                new ProbeReport.Finding(
                        ProbeReport.Check.DELETE, isGone, isGone ? "gone" : "still there"));
    }

    private List<String> names(String key) {
        return store.list(key.substring(0, key.lastIndexOf('/')), "").objects().stream()
                .map(Listing.Item::key)
                .toList();
    }

    private String rangeOf(String key) {
        return text(store.readInto(key, 3, ByteBuffer.allocate(4)));
    }

    private String text(String key) {
        return text(store.read(key, OBJECT_BYTES_MAX));
    }

    private static String text(Fetched fetched) {
        return fetched instanceof Fetched.Found found ? UTF_8.decode(found.body()).toString() : "";
    }

    private static String word(Creation creation) {
        if (creation instanceof Creation.Unknown unknown) {
            return "not answered (" + unknown.cause().getMessage() + ")";
        }
        return creation instanceof Creation.Done ? "done" : "refused";
    }
}
