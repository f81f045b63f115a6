package io.batchweave.store;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.world.World;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Objects in the memory of this process, for tests and for programs that embed a dataset.
 *
 * <p>It keeps every promise but one: nothing outlives the process. Store time is the world's clock.
 */
public final class MemoryStore implements ObjectStore {
    private static final int PIECE_BYTES = 256 << 10;

    private final World world;
    private final ConcurrentNavigableMap<String, byte[]> objects;

    /** An empty store. */
    public MemoryStore(World world) {
        this(world, Map.of());
    }

    private MemoryStore(World world, Map<String, byte[]> objects) {
        this.world = world;
        this.objects = new ConcurrentSkipListMap<>(objects);
    }

    /** Another store that starts with the objects of this one; they share nothing afterwards. */
    public MemoryStore copy() {
        return new MemoryStore(world, objects);
    }

    @Override
    public String uri() {
        return "memory:///";
    }

    @Override
    public Arbiter arbiter() {
        return Arbiter.SYSTEM;
    }

    @Override
    public Timekeeper timekeeper() {
        return Timekeeper.STORE;
    }

    @Override
    public Creation create(String key, ByteBuffer body) {
        return create(Keys.check(key), bytesOf(body.duplicate()));
    }

    private Creation create(String key, byte[] body) {
        boolean created = objects.putIfAbsent(key, body) == null;
        return created ? new Creation.Done(now()) : new Creation.Refused(now());
    }

    @Override
    public Upload upload(String key) {
        return new Growing(Keys.check(key));
    }

    @Override
    public Fetched read(String key, int bytesMax) {
        return find(key)
                .map(
                        object -> {
                            Bounds.checkWhole(uri(), key, object.length, bytesMax);
                            return found(ByteBuffer.wrap(object).asReadOnlyBuffer());
                        })
                .orElseGet(() -> new Fetched.Absent(now()));
    }

    @Override
    public Fetched readInto(String key, long offset, ByteBuffer target) {
        Bounds.checkOffset(offset);
        return find(key)
                .map(
                        object -> {
                            int length = target.remaining();
                            Bounds.checkRange(uri(), key, offset, length, object.length);
                            ByteBuffer body = target.slice();
                            target.put(object, (int) offset, length);
                            return found(body);
                        })
                .orElseGet(() -> new Fetched.Absent(now()));
    }

    @Override
    public Fetched readThrough(String key, long offset, long length, PieceSink sink) {
        Bounds.checkSpan(offset, length);
        return find(key)
                .map(
                        object -> {
                            Bounds.checkRange(uri(), key, offset, length, object.length);
                            handOn(object, (int) offset, (int) length, sink);
                            return found(ByteBuffer.allocate(0));
                        })
                .orElseGet(() -> new Fetched.Absent(now()));
    }

    private static void handOn(byte[] object, int offset, int length, PieceSink sink) {
        int done = 0;
        while (done < length) {
            int bytes = Math.min(PIECE_BYTES, length - done);
            sink.take(ByteBuffer.wrap(object, offset + done, bytes).asReadOnlyBuffer());
            done += bytes;
        }
    }

    private Optional<byte[]> find(String key) {
        return Optional.ofNullable(objects.get(Keys.check(key)));
    }

    private Fetched found(ByteBuffer body) {
        return new Fetched.Found(body, now());
    }

    @Override
    public Listing list(String folder, String after) {
        String prefix = Keys.prefix(Keys.checkFolder(folder));
        Keys.checkFolder(after);
        List<Listing.Item> items = new ArrayList<>();
        List<String> folders = new ArrayList<>();
        Map.Entry<String, byte[]> entry = objects.ceilingEntry(prefix);
        while (entry != null && entry.getKey().startsWith(prefix)) {
            String key = entry.getKey();
            int slash = key.indexOf('/', prefix.length());
            if (slash < 0) {
                if (key.compareTo(after) > 0) {
                    items.add(new Listing.Item(key, entry.getValue().length));
                }
                entry = objects.higherEntry(key);
            } else {
                String below = key.substring(0, slash);
                if (below.compareTo(after) > 0) {
                    folders.add(below.substring(prefix.length()));
                }
                // The character after the slash: the first key that is past the whole folder.
                entry = objects.ceilingEntry(below + (char) ('/' + 1));
            }
        }
        return new Listing(items, folders);
    }

    @Override
    public void delete(Collection<String> keys) {
        keys.forEach(Keys::check);
        keys.forEach(objects::remove);
    }

    @Override
    public void close() {}

    private Instant now() {
        return world.clock().instant();
    }

    private static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private final class Growing implements Upload {
        private final String key;
        private ByteArrayOutputStream written = new ByteArrayOutputStream();
        private boolean open = true;

        Growing(String key) {
            this.key = key;
        }

        @Override
        public void write(ByteBuffer bytes) {
            requireOpen();
            written.writeBytes(bytesOf(bytes));
        }

        @Override
        public Creation complete() {
            requireOpen();
            byte[] body = written.toByteArray();
            close();
            return create(key, body);
        }

        @Override
        public void close() {
            open = false;
            written = new ByteArrayOutputStream();
        }

        private void requireOpen() {
            if (!open) {
                throw new InvalidRequestException(
                        "Cannot write to %s in %s: its upload is over; start another"
                                .formatted(key, uri()));
            }
        }
    }
}
