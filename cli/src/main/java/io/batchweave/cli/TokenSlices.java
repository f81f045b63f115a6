package io.batchweave.cli;

import io.batchweave.cli.inputs.RowRun;
import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.cli.tokens.Tally;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.model.Bytes;
import io.batchweave.model.Count;
import io.batchweave.payload.PayloadSchema;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Slices of packed tokens; where the inputs end, they are padding. */
final class TokenSlices implements SliceSource {
    private final TokenSource source;
    private final RowBlock block;
    private final TokenSlice slice;

    TokenSlices(TokenSource source, BufferAllocator allocator) {
        this.source = source;
        this.block = source.newBlock();
        this.slice = new TokenSlice(PayloadSchema.tokens(), allocator);
    }

    @Override
    public boolean next() {
        return source.fill(block);
    }

    @Override
    public VectorSchemaRoot slice() {
        return slice.fill(block);
    }

    @Override
    public List<Count> counts() {
        Tally tally = block.tally();
        return List.of(
                new Count("tokens", tally.tokens()), new Count("documents", tally.documents()));
    }

    @Override
    public List<RowRun> origins() {
        return block.origins();
    }

    @Override
    public Bytes progress() {
        return source.progress();
    }

    @Override
    public void close() {
        slice.close();
        source.close();
    }
}
