package io.batchweave.cli.demo;

import io.batchweave.cli.files.Locations;
import io.batchweave.cli.rows.TextRows;
import io.batchweave.cli.texts.InputUnits;
import io.batchweave.cli.tokens.IngestSettings;
import io.batchweave.cli.tokens.RowBlock;
import io.batchweave.cli.tokens.TokenSource;
import io.batchweave.model.Bytes;
import io.batchweave.world.World;
import java.util.List;

/**
 * One producer's input, tokenized by the demo itself to have something to compare with.
 *
 * @param tokens how many tokens the producer is to publish
 * @param digest of all of them, in order
 */
record InputText(
        String producer, List<String> files, List<String> fields, long tokens, Bytes digest) {
    private static final int ROW_TOKENS = 4_096;

    static InputText of(
            String producer,
            List<String> files,
            String tokenizer,
            List<String> fields,
            World world) {
        IngestSettings settings = new IngestSettings(tokenizer, ROW_TOKENS, 1, fields);
        TokenDigest digest = new TokenDigest();
        try (Locations locations = Locations.in(world);
                TokenSource source =
                        InputUnits.start(TextRows.inputs(locations, files), settings)) {
            RowBlock row = source.newBlock();
            while (source.fill(row)) {
                digest.add(row.tokens(), row.valid(0));
            }
        }
        return new InputText(producer, files, fields, digest.tokens(), digest.end());
    }

    /** Batches it takes, the padded last one included. */
    long batches(int tokensPerBatch) {
        return (tokens + tokensPerBatch - 1) / tokensPerBatch;
    }
}
