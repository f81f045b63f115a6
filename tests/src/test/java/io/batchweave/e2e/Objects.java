package io.batchweave.e2e;

import io.batchweave.store.Fetched.Found;
import io.batchweave.store.Keys;
import io.batchweave.store.Listing;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The objects of a local warehouse as files, to be damaged. */
record Objects(Path warehouse) {

    /** Keys of all objects in a folder and below it, in order; the store's own files are none. */
    List<String> keys(String folder) {
        try (Stream<Path> files = Files.walk(warehouse.resolve(folder))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> Keys.isName(file.getFileName().toString()))
                    .map(file -> warehouse.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] read(String key) {
        try {
            return Files.readAllBytes(warehouse.resolve(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void change(String key, UnaryOperator<byte[]> change) {
        try {
            Files.write(warehouse.resolve(key), change.apply(read(key)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(String key) {
        try {
            Files.delete(warehouse.resolve(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds all objects of a store in a folder and below it. */
    void add(ObjectStore store, String folder) {
        Listing listing = store.list(folder, "");
        listing.objects().forEach(item -> add(store, item));
        listing.folders().forEach(below -> add(store, folder + "/" + below));
    }

    private void add(ObjectStore store, Listing.Item item) {
        Path file = warehouse.resolve(item.key());
        byte[] body = new byte[Math.toIntExact(item.length())];
        if (store.read(item.key(), body.length) instanceof Found found) {
            found.body().get(body);
        }
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A copy in memory. */
    MemoryStore inMemory(String folder) {
        MemoryStore copy = new MemoryStore(World.real());
        keys(folder).forEach(key -> copy.create(key, ByteBuffer.wrap(read(key))));
        return copy;
    }
}
