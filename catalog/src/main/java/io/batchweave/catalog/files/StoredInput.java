package io.batchweave.catalog.files;

import io.batchweave.errors.CorruptException;
import io.batchweave.store.Fetched;
import io.batchweave.store.Listing;
import io.batchweave.store.ObjectStore;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file that can be read. */
final class StoredInput implements InputFile {
    /** Iceberg knows the length of what is large; the rest is read whole to learn it. */
    private static final int WHOLE_BYTES_MAX = 16 << 20;

    private final ObjectStore store;
    private final String key;
    private final String location;
    private OptionalLong length;
    private Optional<ByteBuffer> whole = Optional.empty();

    StoredInput(ObjectStore store, String key, String location, OptionalLong length) {
        this.store = store;
        this.key = key;
        this.location = location;
        this.length = length;
    }

    @Override
    public synchronized long getLength() {
        if (length.isEmpty()) {
            length = OptionalLong.of(measured());
        }
        return length.getAsLong();
    }

    /** A store tells no length but in a listing, which may be long; one read is cheaper. */
    private long measured() {
        try {
            if (store.read(key, WHOLE_BYTES_MAX) instanceof Fetched.Found found) {
                whole = Optional.of(found.body());
                return found.body().remaining();
            }
        } catch (CorruptException e) {
            return listed().orElseThrow(this::absent);
        }
        throw absent();
    }

    private Optional<Long> listed() {
        int slash = key.lastIndexOf('/');
        // The last name before this one that could be: the listing begins here.
        String before = key.length() - slash > 2 ? key.substring(0, key.length() - 1) : "";
        return store.list(slash < 0 ? "" : key.substring(0, slash), before).objects().stream()
                .filter(item -> item.key().equals(key))
                .map(Listing.Item::length)
                .findFirst();
    }

    private NotFoundException absent() {
        return new NotFoundException("Cannot read file %s: it does not exist", location);
    }

    @Override
    public SeekableInputStream newStream() {
        long bytes = getLength();
        return new StoredStream(store, key, location, bytes, whole);
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public boolean exists() {
        try {
            return store.readInto(key, 0, ByteBuffer.allocate(1)) instanceof Fetched.Found;
        } catch (CorruptException e) {
            // It is there, and empty.
            return true;
        }
    }
}
