package io.batchweave.store;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.FaultPlan.Call;
import io.batchweave.store.FaultPlan.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiConsumer;

/**
 * A store to which calls go wrong as planned, for tests of what is built on stores. Safe for use by
 * many threads.
 */
public final class FaultyStore extends ForwardingStore {
    private final ObjectStore store;
    private final FaultPlan plan;
    private final BiConsumer<Call, Runnable> network;
    private final Queue<Runnable> late = new ArrayDeque<>();

    /** What reaches the store, once or more, now or later. */
    private interface Request<T> {
        T send();
    }

    public FaultyStore(ObjectStore store, FaultPlan plan) {
        super(store);
        this.store = store;
        this.plan = plan;
        this.network = (call, request) -> keep(request);
    }

    /**
     * @param network is given the late requests, and lets them arrive when it likes
     */
    public FaultyStore(ObjectStore store, FaultPlan plan, BiConsumer<Call, Runnable> network) {
        super(store);
        this.store = store;
        this.plan = plan;
        this.network = network;
    }

    private void keep(Runnable request) {
        synchronized (late) {
            late.add(request);
        }
    }

    /** Lets all late requests arrive, in the order in which they were made. */
    public void applyLate() {
        while (applyOldest()) {}
    }

    private boolean applyOldest() {
        Runnable oldest;
        synchronized (late) {
            if (late.isEmpty()) {
                return false;
            }
            oldest = late.remove();
        }
        oldest.run();
        return true;
    }

    private Fault faultOf(Kind kind, String key) {
        Call call = new Call(kind, key);
        boolean arrives;
        Fault fault;
        synchronized (plan) {
            arrives = plan.late(call);
            fault = plan.faultOf(call);
        }
        if (arrives) {
            applyOldest();
        }
        return fault;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        ByteBuffer kept = ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip();
        Fault fault = faultOf(Kind.CREATE, key);
        return created(fault, Kind.CREATE, key, () -> store.create(key, kept.duplicate()));
    }

    private Creation created(Fault fault, Kind kind, String key, Request<Creation> request) {
        return switch (fault) {
            case NONE, TRUNCATED, FLIPPED -> request.send();
            case UNAVAILABLE -> throw unavailable(kind, key, fault);
            case REQUEST_LOST -> unknown(fault);
            case ANSWER_LOST -> {
                request.send();
                yield unknown(fault);
            }
            case TWICE -> {
                request.send();
                yield request.send();
            }
            case LATE -> {
                network.accept(new Call(kind, key), request::send);
                yield unknown(fault);
            }
        };
    }

    @Override
    public Upload upload(String key) {
        return new FaultyUpload(key);
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return found(key, () -> store.read(key, bytesMax));
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        int start = target.position();
        return found(
                key,
                () -> {
                    target.position(start);
                    return store.readInto(key, offset, target);
                });
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        Fault fault = faultOf(Kind.READ, key);
        return switch (fault) {
            case NONE -> store.readThrough(key, offset, length, sink);
            case UNAVAILABLE, REQUEST_LOST, LATE -> throw unavailable(Kind.READ, key, fault);
            case ANSWER_LOST -> {
                store.readThrough(key, offset, length / 2, sink);
                throw unavailable(Kind.READ, key, fault);
            }
            case TWICE -> {
                store.readThrough(key, offset, length, piece -> {});
                yield store.readThrough(key, offset, length, sink);
            }
            case TRUNCATED -> store.readThrough(key, offset, length / 2, sink);
            case FLIPPED ->
                    store.readThrough(key, offset, length, piece -> sink.take(flipped(piece)));
        };
    }

    private Fetched found(String key, Request<Fetched> request) {
        Fault fault = faultOf(Kind.READ, key);
        return switch (fault) {
            case NONE -> request.send();
            case UNAVAILABLE, REQUEST_LOST, LATE -> throw unavailable(Kind.READ, key, fault);
            case ANSWER_LOST -> {
                request.send();
                throw unavailable(Kind.READ, key, fault);
            }
            case TWICE -> {
                request.send();
                yield request.send();
            }
            case TRUNCATED, FLIPPED -> spoiled(request.send(), fault);
        };
    }

    private static Fetched spoiled(Fetched fetched, Fault fault) {
        if (!(fetched instanceof Fetched.Found found) || !found.body().hasRemaining()) {
            return fetched;
        }
        return new Fetched.Found(
                fault == Fault.FLIPPED ? flipped(found.body()) : truncated(found.body()),
                found.at());
    }

    /** In place where it can be, so that what a caller sees in its own buffer is wrong too. */
    private static ByteBuffer flipped(ByteBuffer body) {
        ByteBuffer spoiled = writable(body);
        int place = spoiled.position() + spoiled.remaining() / 2;
        return spoiled.put(place, (byte) (spoiled.get(place) ^ 1));
    }

    private static ByteBuffer truncated(ByteBuffer body) {
        ByteBuffer spoiled = writable(body);
        int end = spoiled.position() + spoiled.remaining() / 2;
        for (int i = end; i < spoiled.limit(); i++) {
            spoiled.put(i, (byte) 0);
        }
        return spoiled.limit(end);
    }

    private static ByteBuffer writable(ByteBuffer body) {
        return body.isReadOnly()
                ? ByteBuffer.allocate(body.remaining()).put(body.duplicate()).flip()
                : body;
    }

    @Override
    public Listing list(String folder, String after) {
        Fault fault = faultOf(Kind.LIST, folder);
        return switch (fault) {
            case NONE, TRUNCATED, FLIPPED -> store.list(folder, after);
            case UNAVAILABLE, REQUEST_LOST, LATE, ANSWER_LOST ->
                    throw unavailable(Kind.LIST, folder, fault);
            case TWICE -> {
                store.list(folder, after);
                yield store.list(folder, after);
            }
        };
    }

    @Override
    public void delete(Collection<String> keys) {
        List<String> kept = List.copyOf(keys);
        String first = kept.isEmpty() ? "" : kept.get(0);
        Fault fault = faultOf(Kind.DELETE, first);
        switch (fault) {
            case NONE, TRUNCATED, FLIPPED -> store.delete(kept);
            case UNAVAILABLE, REQUEST_LOST -> throw unavailable(Kind.DELETE, first, fault);
            case ANSWER_LOST -> {
                store.delete(kept);
                throw unavailable(Kind.DELETE, first, fault);
            }
            case TWICE -> {
                store.delete(kept);
                store.delete(kept);
            }
            case LATE -> {
                network.accept(new Call(Kind.DELETE, first), () -> store.delete(kept));
                throw unavailable(Kind.DELETE, first, fault);
            }
        }
    }

    /** Late requests stay late: closing lets none arrive. */
    @Override
    public void close() {
        store.close();
    }

    private static Creation unknown(Fault fault) {
        return new Creation.Unknown(new IOException("planned: " + fault));
    }

    private UnavailableException unavailable(Kind kind, String key, Fault fault) {
        return new UnavailableException(
                "Cannot %s %s in %s: planned: %s".formatted(kind, key, uri(), fault));
    }

    /** An upload whose completion is a create, with its faults. */
    private final class FaultyUpload implements Upload {
        private final String key;
        private final Upload upload;
        private Optional<Creation> outcome = Optional.empty();
        private boolean late;

        FaultyUpload(String key) {
            this.key = key;
            this.upload = store.upload(key);
        }

        @Override
        public void write(ByteBuffer bytes) {
            upload.write(bytes);
        }

        @Override
        public Creation complete() {
            Fault fault = faultOf(Kind.COMPLETE, key);
            late = fault == Fault.LATE;
            return created(fault, Kind.COMPLETE, key, this::arrive);
        }

        /** A request to complete arrives, perhaps again: then the object is there already. */
        private Creation arrive() {
            if (outcome.isEmpty()) {
                outcome = Optional.of(upload.complete());
                upload.close();
                return outcome.get();
            }
            return outcome.get() instanceof Creation.Done done
                    ? new Creation.Refused(done.at())
                    : outcome.get();
        }

        /** A late request still needs what was written. */
        @Override
        public void close() {
            if (!late) {
                upload.close();
            }
        }
    }
}
