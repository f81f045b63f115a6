package io.batchweave.cli.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * A place on a store.
 *
 * @param key that of an object or a folder; empty for the whole space
 */
record StoredFile(Space space, String key) implements Location {
    /** Where one key is an object and a folder, it stands for the folder, as markers do. */
    @Override
    public boolean isFolder() {
        return space.isFolder(key);
    }

    @Override
    public boolean isFile() {
        return space.length(key).isPresent();
    }

    @Override
    public boolean exists() {
        return isFile() || isFolder();
    }

    @Override
    public List<Location> visibleEntries() {
        return space.names(key).map(this::below).toList();
    }

    @Override
    public Location below(String name) {
        return new StoredFile(space, key.isEmpty() ? name : key + "/" + name);
    }

    @Override
    public String name() {
        return Space.nameOf(key);
    }

    @Override
    public String pathBelow(Location folder) {
        String above = ((StoredFile) folder).key;
        return above.isEmpty() ? key : key.substring(above.length() + 1);
    }

    @Override
    public String origin() {
        return space.uriOf(key);
    }

    @Override
    public String identity() {
        return origin();
    }

    @Override
    public long size() throws IOException {
        return space.length(key).orElseThrow(() -> new NoSuchFileException(origin()));
    }

    @Override
    public String version() {
        return "";
    }

    @Override
    public SeekableByteChannel open() throws IOException {
        return space.open(key, size());
    }

    @Override
    public String toString() {
        return origin();
    }
}
