package io.batchweave.catalog;

import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A table as a transaction will leave it: files are written by it, and nothing is committed. */
record UncommittedTable(TableOperations table, TableMetadata uncommitted)
        implements TableOperations {
    @Override
    public TableMetadata current() {
        return uncommitted;
    }

    @Override
    public TableMetadata refresh() {
        throw new UnsupportedOperationException(
                "Cannot refresh a table within a transaction: it is not committed");
    }

    @Override
    public void commit(TableMetadata base, TableMetadata next) {
        throw new UnsupportedOperationException(
                "Cannot commit to a table within a transaction: commit the transaction");
    }

    @Override
    public FileIO io() {
        return table.io();
    }

    @Override
    public String metadataFileLocation(String file) {
        return table.metadataFileLocation(file);
    }

    @Override
    public LocationProvider locationProvider() {
        return LocationProviders.locationsFor(uncommitted.location(), uncommitted.properties());
    }
}
