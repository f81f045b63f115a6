package io.batchweave.bench.commits;

import io.batchweave.store.Fetched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A table of numbered metadata files; a refresh looks for the next one. */
final class IcebergOperations implements TableOperations {
    private static final int METADATA_BYTES_MAX = 1 << 28;

    private final StoreFiles files;
    private final FileIO io;
    private final String table;
    private TableMetadata current;
    private long version = -1;

    IcebergOperations(StoreFiles files, String table) {
        this.files = files;
        this.io = new IcebergFiles(files);
        this.table = table;
    }

    @Override
    public TableMetadata current() {
        return current;
    }

    @Override
    public TableMetadata refresh() {
        while (files.store().read(key(version + 1), METADATA_BYTES_MAX)
                instanceof Fetched.Found found) {
            version++;
            String json = StandardCharsets.UTF_8.decode(found.body()).toString();
            current = TableMetadataParser.fromJson(StoreFiles.pathOf(key(version)), json);
        }
        return current;
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
        if (base != current) {
            throw new CommitFailedException("The table has changed");
        }
        try {
            files.create(
                    StoreFiles.pathOf(key(version + 1)),
                    TableMetadataParser.toJson(metadata).getBytes(StandardCharsets.UTF_8));
        } catch (FileAlreadyExistsException e) {
            throw new CommitFailedException(e, "Another writer has committed");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        version++;
        current = metadata;
    }

    private String key(long number) {
        return table + "/metadata/v" + number + ".metadata.json";
    }

    @Override
    public FileIO io() {
        return io;
    }

    @Override
    public String metadataFileLocation(String name) {
        return StoreFiles.pathOf(table + "/metadata/" + name);
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(current.location(), current.properties());
    }
}
