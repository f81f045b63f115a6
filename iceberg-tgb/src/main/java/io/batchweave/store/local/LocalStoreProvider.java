package io.batchweave.store.local;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.StoreProvider;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Opens {@code file:///folder}, and {@code file:folder} in the working directory. */
public final class LocalStoreProvider implements StoreProvider {
    @Override
    public Set<String> schemes() {
        return Set.of("file");
    }

    @Override
    public String needs() {
        return "";
    }

    @Override
    public ObjectStore open(URI uri, World world) {
        return new LocalStore(folder(uri), world);
    }

    @Override
    public void make(URI uri) {
        Path folder = folder(uri);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw Why.failure("Cannot make the folder " + folder, e);
        }
    }

    /** Nothing can ever lie below a file, so that is told before anybody waits for a store. */
    private static Path folder(URI uri) {
        Path folder = path(uri);
        for (Path above = folder; above != null; above = above.getParent()) {
            if (Files.isRegularFile(above)) {
                throw new InvalidRequestException(
                        "Cannot open %s: %s is a file; name a folder".formatted(folder, above));
            }
        }
        return folder;
    }

    private static Path path(URI uri) {
        try {
            return uri.isOpaque() ? Path.of(uri.getSchemeSpecificPart()) : Path.of(uri);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException(
                    "Cannot open %s: it names no local folder (%s); write it as file:///folder"
                            .formatted(uri, e.getMessage()),
                    e);
        }
    }
}
