package io.batchweave.catalog.register;

import io.batchweave.catalog.register.Look.Mark;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.Deadline;
import io.batchweave.world.World;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** One text in versions, in a folder of a store. Safe for use by many threads. */
public final class Register {
    /** Bytes of the longest text. */
    public static final int BYTES_MAX = 64 << 20;

    private static final String HINT = "/version-hint.text";
    private static final Duration TIME_MAX = Duration.ofMinutes(1);
    private static final Duration PAUSE_MAX = Duration.ofMillis(200);

    private final ObjectStore store;
    private final World world;
    private final String folder;

    public Register(ObjectStore store, World world, String folder) {
        this.store = store;
        this.world = world;
        this.folder = folder;
    }

    /** Where the text lies, for messages. */
    public String location() {
        return store.nameOf(folder);
    }

    /** Whether there is a text: one look, and no read. */
    public boolean exists() {
        return look().live().isPresent();
    }

    /** The newest text, if there is one: one look and one read. */
    public Optional<Version> current() {
        Optional<Version> top = top();
        return top.filter(version -> !isVoid(version));
    }

    /**
     * What is left of a text that was dropped, if nothing was made there since: what the drop saw,
     * and the change that it overtook, if one did.
     */
    public List<Version> dropped() {
        Look look = look();
        if (look.live().isPresent()) {
            return List.of();
        }
        return Stream.concat(look.voids().stream(), look.versions().stream())
                .filter(mark -> mark.number() == look.voided())
                .map(this::read)
                .flatMap(Optional::stream)
                .toList();
    }

    private static boolean isVoid(Version version) {
        return version.key().endsWith(Look.mark(version.number()));
    }

    /** The newest text or, where that is void, the mark that says so. */
    private Optional<Version> top() {
        Deadline deadline = world.deadline(TIME_MAX);
        do {
            Optional<Mark> top = look().top();
            if (top.isEmpty()) {
                return Optional.empty();
            }
            Optional<Version> read = read(top.get());
            if (read.isPresent()) {
                return read;
            }
            // Between look and read it became old and was deleted: there is a newer one, or none.
            world.pauseUpTo(PAUSE_MAX);
        } while (deadline.remains());
        throw new UnavailableException(
                "Cannot read %s: each newest version was gone before it was read; try again"
                        .formatted(location()));
    }

    private Look look() {
        return Look.at(store.list(folder, folder + "/" + Look.START));
    }

    private Optional<Version> read(Mark mark) {
        return store.read(mark.key(), BYTES_MAX) instanceof Fetched.Found found
                ? Optional.of(version(mark, found.body()))
                : Optional.empty();
    }

    private Version version(Mark mark, ByteBuffer body) {
        String stored = text(mark.key(), body);
        return new Version(
                mark.number(),
                mark.key(),
                Lineage.textOf(stored),
                Lineage.of(mark.number(), stored));
    }

    private String text(String key, ByteBuffer body) {
        if (!key.contains(".gz")) {
            return StandardCharsets.UTF_8.decode(body).toString();
        }
        byte[] packed = new byte[body.remaining()];
        body.get(packed);
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = plain.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw new CorruptException(
                        "Cannot read %s: unpacked it has more than %d bytes"
                                .formatted(store.nameOf(key), BYTES_MAX));
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CorruptException(
                    "Cannot read %s: it is no gzip file (%s)"
                            .formatted(store.nameOf(key), e.getMessage()),
                    e);
        }
    }

    /** Makes the first text, or the first one after the last was dropped. */
    public Change begin(String text) {
        Optional<Version> top = top();
        return top.isPresent() && !isVoid(top.get())
                ? new Change.Lost("it exists")
                : offer(top.map(Version::lineage).orElse(Lineage.unknown(0)), text, Kind.VERSION);
    }

    /** Makes a text the one that follows on {@code base}. */
    public Change change(Version base, String text) {
        return offer(base.lineage(), text, Kind.VERSION);
    }

    /**
     * Drops the text, at which nothing is deleted yet.
     *
     * @return whether it was there, and nobody else dropped it
     */
    public boolean drop() {
        Deadline deadline = world.deadline(TIME_MAX);
        do {
            Optional<Version> current = current();
            if (current.isEmpty()) {
                return false;
            }
            Version last = current.get();
            Change change = offer(last.lineage(), last.text(), Kind.VOID);
            if (change instanceof Change.Made) {
                return true;
            }
            if (change instanceof Change.Unknown unknown) {
                throw new UnavailableException(
                        "Cannot drop %s: %s; run the same again"
                                .formatted(location(), unknown.why()),
                        unknown.cause());
            }
            // A change came first, which must not be dropped unseen; or somebody else's drop did.
        } while (deadline.remains());
        throw new UnavailableException(
                "Cannot drop %s: it kept changing; try again".formatted(location()));
    }

    /** What is created in order to change something. */
    private enum Kind {
        VERSION,
        VOID;

        String name(long number) {
            return this == VERSION ? Look.version(number) : Look.mark(number);
        }
    }

    /**
     * Offers the next version until it is in or cannot be any more. After each attempt, however it
     * came out, the folder is looked at, and what lies there decides.
     */
    private Change offer(Lineage base, String text, Kind kind) {
        String id = world.newId();
        Lineage lineage = base.next(id);
        String key = folder + "/" + kind.name(lineage.last());
        byte[] body = lineage.stored(text).getBytes(StandardCharsets.UTF_8);
        if (body.length > BYTES_MAX) {
            throw new InvalidRequestException(
                    "Cannot write %s: it has %d bytes, and may have %d; expire snapshots"
                            .formatted(store.nameOf(key), body.length, BYTES_MAX));
        }
        Version offered = new Version(lineage.last(), key, text, lineage);
        Attempts attempts = new Attempts();
        Deadline deadline = world.deadline(TIME_MAX);
        do {
            Creation creation = attempts.made(() -> store.create(key, ByteBuffer.wrap(body)));
            Optional<Change> outcome = attempts.judged(() -> judge(offered, kind, creation));
            if (outcome.isPresent()) {
                return outcome.get();
            }
            world.pauseUpTo(PAUSE_MAX);
        } while (deadline.remains() && !Thread.currentThread().isInterrupted());
        return new Change.Unknown(
                "whether version %d is in could not be learned in time".formatted(offered.number()),
                attempts.cause());
    }

    /** Decides by what lies there after an attempt; nothing if all is still open. */
    private Optional<Change> judge(Version offered, Kind kind, Creation creation) {
        Look look = look();
        Optional<Mark> top = look.top();
        if (top.isEmpty() || top.get().number() < offered.number()) {
            // Nobody has it. If an attempt is still under way, the next one meets it or beats it.
            return Optional.empty();
        }
        boolean ours = top.get().key().equals(offered.key());
        if (ours && creation instanceof Creation.Done) {
            return Optional.of(new Change.Made(offered));
        }
        Optional<Version> there = read(top.get());
        if (there.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                idThere(there.get(), offered, kind)
                        .map(
                                id ->
                                        id.equals(
                                                offered.lineage()
                                                        .idOf(offered.number())
                                                        .orElseThrow()))
                        .map(is -> is ? new Change.Made(offered) : lost(offered, creation))
                        .orElseGet(() -> new Change.Unknown(unheardOf(offered), noCause())));
    }

    /**
     * Which change the newest version says that ours is, or something that certainly is not ours.
     */
    private static Optional<String> idThere(Version there, Version offered, Kind kind) {
        Optional<String> id = there.lineage().idOf(offered.number());
        boolean samePlace = there.number() == offered.number();
        boolean sameKind = isVoid(there) == (kind == Kind.VOID);
        // A foreign writer's version has no ids; but where it lies, ours cannot.
        return samePlace && (id.isEmpty() || !sameKind) ? Optional.of("") : id;
    }

    private Change lost(Version offered, Creation creation) {
        if (creation instanceof Creation.Done) {
            // It was created in the place of one that had become old: it is in nobody's past.
            store.delete(List.of(offered.key()));
        }
        return new Change.Lost("another change came first");
    }

    private static String unheardOf(Version offered) {
        return "version %d was written, and those above do not say whether they follow on it"
                .formatted(offered.number());
    }

    private static Exception noCause() {
        return new IllegalStateException("another program wrote, or a hundred changes passed");
    }

    /**
     * Deletes old versions, and what was left by texts that were dropped before this one.
     *
     * @param kept how many versions before the newest one stay, at least one
     */
    public void tidy(int kept) {
        Look look = look();
        look.live()
                .ifPresent(
                        newest -> {
                            long from = newest.number() - Math.max(1, kept);
                            delete(look, below(look.versions(), from));
                            delete(look, keys(look.voids()));
                        });
    }

    /** Deletes the versions that a drop has made void. */
    public void tidyDropped() {
        Look look = look();
        List<String> old = below(look.versions(), look.voided() + 1);
        // Who only knows the versions sees the last text until it goes, and then none.
        int most = Math.max(0, old.size() - 1);
        delete(look, old.subList(0, most));
        delete(look, old.subList(most, old.size()));
        delete(look, below(look.voids(), look.voided()));
    }

    private static List<String> below(List<Mark> marks, long number) {
        return keys(marks.stream().filter(mark -> mark.number() < number).toList());
    }

    private static List<String> keys(List<Mark> marks) {
        return marks.stream().map(Mark::key).toList();
    }

    /** Deletes Hadoop's hint first, which must not lead to what is gone. */
    private void delete(Look look, List<String> old) {
        if (!old.isEmpty()) {
            store.delete(look.others().stream().filter(key -> key.endsWith(HINT)).toList());
            store.delete(old);
        }
    }
}
