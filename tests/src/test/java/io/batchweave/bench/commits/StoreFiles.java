package io.batchweave.bench.commits;

import io.batchweave.store.Creation;
import io.batchweave.store.Fetched;
import io.batchweave.store.ObjectStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;

/** What both peers ask of files, each as one request: a file is read whole and written whole. */
final class StoreFiles {
    private static final String SCHEME = "bench:/";
    private static final int BYTES_MAX = 1 << 28;

    private final ObjectStore store;

    StoreFiles(ObjectStore store) {
        this.store = store;
    }

    ObjectStore store() {
        return store;
    }

    static String pathOf(String key) {
        return SCHEME + key;
    }

    static String keyOf(String path) {
        String key = path.substring(SCHEME.length());
        return key.startsWith("/") ? key.replaceFirst("^/+", "") : key;
    }

    byte[] read(String path) throws FileNotFoundException {
        if (store.read(keyOf(path), BYTES_MAX) instanceof Fetched.Found found) {
            byte[] bytes = new byte[found.body().remaining()];
            found.body().get(bytes);
            return bytes;
        }
        throw new FileNotFoundException(path);
    }

    void create(String path, byte[] bytes) throws IOException {
        Creation creation = store.create(keyOf(path), ByteBuffer.wrap(bytes));
        if (creation instanceof Creation.Refused) {
            throw new FileAlreadyExistsException(path);
        }
        if (creation instanceof Creation.Unknown unknown) {
            throw new IOException("Cannot tell whether " + path + " was created", unknown.cause());
        }
    }

    void delete(String path) {
        store.delete(List.of(keyOf(path)));
    }
}
