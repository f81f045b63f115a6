package io.batchweave.store.local;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
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
        return new LocalStore(path(uri), world);
    }

    @Override
    public void make(URI uri) {
        try {
            Files.createDirectories(path(uri));
        } catch (IOException e) {
            throw new UnavailableException(
                    "Cannot make the folder %s: %s".formatted(path(uri), Why.of(e)), e);
        }
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
