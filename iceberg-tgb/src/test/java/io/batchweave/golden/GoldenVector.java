package io.batchweave.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Commit;
import io.batchweave.model.DatasetName;
import io.batchweave.model.Layout;
import io.batchweave.store.Fetched.Found;
import io.batchweave.store.MemoryStore;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A dataset that the Python implementation wrote, and what it found there.
 *
 * @param kind {@code valid} or {@code invalid}; it stands where the namespace would
 */
public record GoldenVector(String kind, String name, JsonNode expected) {
    private static final Path HOME =
            Path.of(System.getProperty("repository.root", "..")).resolve("format-spec/vectors");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** All of a kind, in order. */
    public static List<GoldenVector> all(String kind) {
        try (Stream<Path> folders = Files.list(HOME.resolve(kind))) {
            List<GoldenVector> vectors = new ArrayList<>();
            for (Path folder : folders.sorted().toList()) {
                JsonNode expected = JSON.readTree(folder.resolve("expected.json").toFile());
                vectors.add(new GoldenVector(kind, folder.getFileName().toString(), expected));
            }
            return vectors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The dataset's name, so that its objects lie where the layout wants them. */
    public DatasetName dataset() {
        return new DatasetName(kind, name);
    }

    /** The objects of the dataset, in a store of their own. */
    public MemoryStore store(World world) {
        MemoryStore store = new MemoryStore(world);
        Path folder = HOME.resolve(kind).resolve(name);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String key = folder.relativize(file).toString().replace('\\', '/');
                String root = new Layout(dataset()).root();
                store.create(root + "/" + key, ByteBuffer.wrap(Files.readAllBytes(file)));
            }
            return store;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes of an object. */
    ByteBuffer object(ObjectStore store, String key) {
        String whole = new Layout(dataset()).root() + "/" + key;
        if (store.read(whole, CommitCodec.PACK_MAX) instanceof Found found) {
            return found.body();
        }
        throw new IllegalArgumentException(this + " has no object " + key);
    }

    /** A commit that was found: one in an object of the log, or one of a pack. */
    Commit commit(ObjectStore store, JsonNode told) {
        String key = told.get("key").asText();
        ByteBuffer bytes = object(store, key);
        if (key.startsWith("packs/")) {
            int version = told.get("state").get("version").asInt();
            return CommitCodec.decodePack(bytes, Layout.PACKED, key).get(version % Layout.PACKED);
        }
        return CommitCodec.decode(bytes, key);
    }

    /** What was expected of the whole dataset under this name; absent is a missing node. */
    public JsonNode expected(String field) {
        return expected.path(field);
    }

    /** The same value as it is after it was written and read, so that equal text is equal. */
    static JsonNode normal(JsonNode built) {
        try {
            return JSON.readTree(built.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return kind + "/" + name;
    }
}
