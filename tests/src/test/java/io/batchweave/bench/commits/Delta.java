package io.batchweave.bench.commits;

import io.batchweave.store.ObjectStore;
import io.batchweave.world.World;
import io.delta.kernel.DataWriteContext;
import io.delta.kernel.Operation;
import io.delta.kernel.Table;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.hook.PostCommitHook;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.BinaryType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Delta Kernel's commits of one data file, with the checkpoints that it asks for. */
final class Delta implements Peer {
    private static final StructType SCHEMA = new StructType().add("tokens", BinaryType.BINARY);

    @Override
    public String name() {
        return "Delta";
    }

    @Override
    public void create(ObjectStore store, String table) {
        Engine engine = engine(store);
        commit(
                engine,
                Table.forPath(engine, StoreFiles.pathOf(table))
                        .createTransactionBuilder(engine, "bench", Operation.CREATE_TABLE)
                        .withSchema(engine, SCHEMA)
                        .build(engine),
                CloseableIterable.emptyIterable());
    }

    @Override
    public Writer writer(ObjectStore store, String name, int number) {
        Engine engine = engine(store);
        Table table = Table.forPath(engine, StoreFiles.pathOf(name));
        return () -> {
            Transaction transaction =
                    table.createTransactionBuilder(engine, "bench", Operation.WRITE).build(engine);
            commit(engine, transaction, newFile(engine, transaction, name));
        };
    }

    private static Engine engine(ObjectStore store) {
        return DefaultEngine.create(new DeltaFiles(new StoreFiles(store)));
    }

    private static CloseableIterable<Row> newFile(
            Engine engine, Transaction transaction, String table) {
        Row state = transaction.getTransactionState(engine);
        DataWriteContext context = Transaction.getWriteContext(engine, state, Map.of());
        String path = StoreFiles.pathOf(table + "/" + World.real().newId() + ".parquet");
        DataFileStatus file = new DataFileStatus(path, 8 << 20, 1, Optional.empty());
        CloseableIterator<DataFileStatus> files =
                Utils.toCloseableIterator(List.of(file).iterator());
        return CloseableIterable.inMemoryIterable(
                Transaction.generateAppendActions(engine, state, files, context));
    }

    private static void commit(
            Engine engine, Transaction transaction, CloseableIterable<Row> actions) {
        TransactionCommitResult result = transaction.commit(engine, actions);
        for (PostCommitHook hook : result.getPostCommitHooks()) {
            try {
                hook.threadSafeInvoke(engine);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
