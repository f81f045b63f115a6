package io.batchweave.catalog.files;

import io.batchweave.store.ObjectStore;
import java.util.OptionalLong;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A file that can be written, once. */
final class StoredOutput implements OutputFile {
    private final ObjectStore store;
    private final String key;
    private final String location;

    StoredOutput(ObjectStore store, String key, String location) {
        this.store = store;
        this.key = key;
        this.location = location;
    }

    @Override
    public PositionOutputStream create() {
        if (toInputFile().exists()) {
            throw new AlreadyExistsException("Cannot write file %s: it exists", location);
        }
        return createOrOverwrite();
    }

    /** Iceberg gives every file a name of its own; if this one is taken, closing it says so. */
    @Override
    public PositionOutputStream createOrOverwrite() {
        return new StoredUpload(store, key, location);
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public InputFile toInputFile() {
        return new StoredInput(store, key, location, OptionalLong.empty());
    }
}
