package io.batchweave.bench.commits;

import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import java.util.Map;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Types;

/**
 * Iceberg's FastAppend of one data file. Its catalog is the store: each commit creates the next
 * metadata file, so that no service stands beside it whose requests would not be counted.
 */
final class Iceberg implements Peer {
    private static final Schema SCHEMA =
            new Schema(Types.NestedField.required(1, "tokens", Types.BinaryType.get()));

    /** How many commits apart snapshots are expired, down to as many. */
    private static final int EXPIRY_COMMITS = 50;

    private final boolean expires;

    private Iceberg(boolean expires) {
        this.expires = expires;
    }

    static Iceberg keepingSnapshots() {
        return new Iceberg(false);
    }

    static Iceberg expiringSnapshots() {
        return new Iceberg(true);
    }

    @Override
    public String name() {
        return expires ? "Iceberg, expiring" : "Iceberg";
    }

    @Override
    public void create(ObjectStore store, String table) {
        TableMetadata empty =
                TableMetadata.newTableMetadata(
                        SCHEMA,
                        PartitionSpec.unpartitioned(),
                        StoreFiles.pathOf(table),
                        Map.of("commit.retry.num-retries", "100"));
        new IcebergOperations(new StoreFiles(store), table).commit(null, empty);
    }

    @Override
    public Writer writer(ObjectStore store, String name, int number) {
        IcebergOperations operations = new IcebergOperations(new StoreFiles(store), name);
        operations.refresh();
        BaseTable table = new BaseTable(operations, name);
        long[] commits = {0};
        return () -> {
            table.newFastAppend().appendFile(newFile(name)).commit();
            if (expires && ++commits[0] % EXPIRY_COMMITS == 0) {
                table.expireSnapshots()
                        .expireOlderThan(Long.MAX_VALUE)
                        .retainLast(EXPIRY_COMMITS)
                        .cleanupLevel(ExpireSnapshots.CleanupLevel.NONE)
                        .commit();
            }
        };
    }

    private static DataFile newFile(String table) {
        return DataFiles.builder(PartitionSpec.unpartitioned())
                .withPath(StoreFiles.pathOf(table + "/data/" + World.real().newId() + ".parquet"))
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(8 << 20)
                .withRecordCount(512)
                .build();
    }
}
