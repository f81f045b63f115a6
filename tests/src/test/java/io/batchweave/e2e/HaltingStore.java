package io.batchweave.e2e;

import io.batchweave.store.Creation;
import io.batchweave.store.ForwardingStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.StoreProvider;
import io.batchweave.store.Upload;
import io.batchweave.store.local.LocalStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
        AFTER_UPLOAD
    }

    private final ObjectStore store;
    private final Runnable fate;
    private final Moment moment;
    private final AtomicLong left;

    private HaltingStore(ObjectStore store, Runnable fate, Moment moment, long nth) {
        super(store);
        this.store = store;
        this.fate = fate;
        this.moment = moment;
        this.left = new AtomicLong(nth);
    }

    /** What to give as a warehouse to a process that is to die. */
    static String uri(Path folder, Moment moment, int nth) {
        return "halting://" + folder + "?" + moment + "=" + nth;
    }

    /** What to give as a warehouse to a process that is to freeze until it is sent SIGCONT. */
    static String freezingUri(Path folder, Moment moment, int nth) {
        return "freezing://" + folder + "?" + moment + "=" + nth;
    }

    private void reached(Moment reached) {
        if (reached == moment && left.decrementAndGet() == 0) {
            fate.run();
        }
    }

    private static void freeze() {
        String pid = Long.toString(ProcessHandle.current().pid());
        try {
            new ProcessBuilder("kill", "-STOP", pid).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("Cannot stop this process", e);
        }
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        boolean isCommit = key.contains("/log/");
        if (!isCommit && !key.contains("/acks/")) {
            return store.create(key, body);
        }
        reached(isCommit ? Moment.BEFORE_COMMIT : Moment.BEFORE_ACKNOWLEDGEMENT);
        Creation creation = store.create(key, body);
        reached(isCommit ? Moment.AFTER_COMMIT : Moment.AFTER_ACKNOWLEDGEMENT);
        return creation;
    }

    @Override
    public Upload upload(String key) {
        Upload upload = store.upload(key);
        return new Upload() {
            @Override
            public void write(ByteBuffer bytes) {
                upload.write(bytes);
            }

            @Override
            public Creation complete() {
                Creation creation = upload.complete();
                reached(Moment.AFTER_UPLOAD);
                return creation;
            }

            @Override
            public void close() {
                upload.close();
            }
        };
    }

    /** Opens {@code halting:///folder?MOMENT=n} and {@code freezing:///folder?MOMENT=n}. */
    public static final class Provider implements StoreProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("halting", "freezing");
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
                    uri.getScheme().equals("halting")
                            ? () -> Runtime.getRuntime().halt(EXIT_CODE)
                            : HaltingStore::freeze,
                    Moment.valueOf(when[0]),
                    Long.parseLong(when[1]));
        }
    }
}
