package io.batchweave.e2e;

import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ForwardingUpload;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.PieceSink;
import io.batchweave.store.StoreProvider;
import io.batchweave.store.Upload;
import io.batchweave.store.local.LocalStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A local store whose process ends or freezes at a chosen request, as by SIGKILL or SIGSTOP:
 * nothing is closed and nobody is told.
 */
final class HaltingStore extends ForwardingStore {
    static final int EXIT_CODE = 137;

    /** When it dies: at the n-th of these. */
    enum Moment {
        BEFORE_COMMIT,
        AFTER_COMMIT,
        BEFORE_ACKNOWLEDGEMENT,
        AFTER_ACKNOWLEDGEMENT,
        BEFORE_BOUNDARY,
        AFTER_BOUNDARY,
        AFTER_UPLOAD,
        BEFORE_PAYLOAD_READ,
        BEFORE_DELETION,
        AFTER_DELETION,
        /** Before anything is created at once, or deleted. */
        BEFORE_CHANGE
    }

    /** What is created at once and has moments of its own. */
    private enum Made {
        COMMIT("/log/", Moment.BEFORE_COMMIT, Moment.AFTER_COMMIT),
        ACKNOWLEDGEMENT("/acks/", Moment.BEFORE_ACKNOWLEDGEMENT, Moment.AFTER_ACKNOWLEDGEMENT),
        BOUNDARY("/boundary/", Moment.BEFORE_BOUNDARY, Moment.AFTER_BOUNDARY);

        private final String folder;
        private final Moment before;
        private final Moment after;

        Made(String folder, Moment before, Moment after) {
            this.folder = folder;
            this.before = before;
            this.after = after;
        }

        static Optional<Made> of(String key) {
            return Arrays.stream(values()).filter(made -> key.contains(made.folder)).findFirst();
        }
    }

    private final ObjectStore store;
    private final Fate fate;
    private final Moment moment;
    private final AtomicLong left;

    private HaltingStore(ObjectStore store, Fate fate, Moment moment, long nth) {
        super(store);
        this.store = store;
        this.fate = fate;
        this.moment = moment;
        this.left = new AtomicLong(nth);
    }

    /** What to give as a warehouse to a process that is to die. */
    static String uri(Path folder, Moment moment, int nth) {
        return uri("halting", folder, moment, nth);
    }

    /** What to give as a warehouse to a process that is to freeze until it is sent SIGCONT. */
    static String freezingUri(Path folder, Moment moment, int nth) {
        return uri("freezing", folder, moment, nth);
    }

    /**
     * What to give as a warehouse to a process that is to be killed by another one, which is
     * started then: so it dies at any moment soon after.
     */
    static String killingUri(Path folder, Moment moment, int nth) {
        return uri("killing", folder, moment, nth);
    }

    private static String uri(String scheme, Path folder, Moment moment, int nth) {
        return scheme + "://" + folder + "?" + moment + "=" + nth;
    }

    private void reached(Moment reached) {
        if (reached == moment && left.decrementAndGet() == 0) {
            fate.strike();
        }
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        reached(Moment.BEFORE_CHANGE);
        Optional<Made> made = Made.of(key);
        made.ifPresent(each -> reached(each.before));
        Creation creation = store.create(key, body);
        made.ifPresent(each -> reached(each.after));
        return creation;
    }

    @Override
    public void delete(Collection<String> keys) {
        reached(Moment.BEFORE_CHANGE);
        reached(Moment.BEFORE_DELETION);
        store.delete(keys);
        reached(Moment.AFTER_DELETION);
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        reached(Moment.BEFORE_PAYLOAD_READ);
        return store.readInto(key, offset, target);
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        reached(Moment.BEFORE_PAYLOAD_READ);
        return store.readThrough(key, offset, length, sink);
    }

    @Override
    public Upload upload(String key) {
        return new ForwardingUpload(store.upload(key)) {
            @Override
            public Creation complete() {
                Creation creation = super.complete();
                reached(Moment.AFTER_UPLOAD);
                return creation;
            }
        };
    }

    @Override
    public void close() {
        fate.await();
        store.close();
    }

    /** What becomes of the process. */
    private interface Fate {
        void strike();

        /** Returns when it has come, if it was struck. */
        default void await() {}

        static Fate of(String scheme) {
            return switch (scheme) {
                case "halting" -> () -> Runtime.getRuntime().halt(EXIT_CODE);
                case "freezing" -> () -> ended(signal("STOP"));
                default -> new Killed();
            };
        }
    }

    /** The process goes on until the signal comes, but not to its end. */
    private static final class Killed implements Fate {
        private Optional<Process> killer = Optional.empty();

        @Override
        public synchronized void strike() {
            killer = Optional.of(signal("KILL"));
        }

        @Override
        public synchronized void await() {
            killer.ifPresent(HaltingStore::ended);
        }
    }

    private static Process signal(String name) {
        String pid = Long.toString(ProcessHandle.current().pid());
        try {
            return new ProcessBuilder("kill", "-" + name, pid).inheritIO().start();
        } catch (IOException e) {
            throw new IllegalStateException("Cannot signal this process", e);
        }
    }

    private static void ended(Process process) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException("Cannot wait for " + process, e);
        }
    }

    /** Opens {@code halting:///folder?MOMENT=n}, and others of {@link Fate}. */
    public static final class Provider implements StoreProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("halting", "freezing", "killing");
        }

        @Override
        public String needs() {
            return "";
        }

        @Override
        public ObjectStore open(URI uri, World world) {
            String[] when = uri.getQuery().split("=", 2);
            return new HaltingStore(
                    new LocalStore(Path.of(uri.getPath()), world),
                    Fate.of(uri.getScheme()),
                    Moment.valueOf(when[0]),
                    Long.parseLong(when[1]));
        }
    }
}
