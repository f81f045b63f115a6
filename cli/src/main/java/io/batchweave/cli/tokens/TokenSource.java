package io.batchweave.cli.tokens;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Bytes;
import java.util.function.Consumer;

/**
 * Turns inputs into rows of tokens, without losing or repeating one, and says how to go on from
 * where it is. Not safe for use by several threads.
 */
public final class TokenSource implements AutoCloseable {
    private final IngestSettings settings;
    private final Tokenizer tokenizer;
    private final TokenStream stream;

    private TokenSource(IngestSettings settings, Tokenizer tokenizer, TokenStream stream) {
        this.settings = settings;
        this.tokenizer = tokenizer;
        this.stream = stream;
    }

    /**
     * Begins with the first token of {@code units}, which are closed with it.
     *
     * @throws InvalidRequestException if they hold no document
     */
    public static TokenSource start(Units units, IngestSettings settings) {
        return opened(units, settings, TokenSource::checkNotEmpty);
    }

    /**
     * Goes on in {@code units}, which are closed with it, behind the first {@code tokens} of the
     * next of them.
     *
     * @throws InvalidRequestException if it has not so many
     */
    public static TokenSource resume(Units units, IngestSettings settings, long tokens) {
        return opened(units, settings, source -> source.skip(tokens));
    }

    /** A block of the size of a slice. */
    public RowBlock newBlock() {
        return new RowBlock(settings.rowsPerSlice(), settings.seqLen());
    }

    /**
     * Fills {@code block} with the next rows. Where the inputs end, the rest is padding: a row's
     * {@link RowBlock#valid} tells, down to zero.
     *
     * @return whether there was any token left
     */
    public boolean fill(RowBlock block) {
        block.fill(stream, separator());
        return block.tally().tokens() > 0;
    }

    /**
     * Where it is, to be committed together with all rows filled so far and given to {@link
     * #resume} later. Equal inputs and rows give equal bytes.
     */
    public Bytes progress() {
        return stream.place().progress(settings);
    }

    /** Where it is, for people. */
    public String position() {
        return stream.place().describe();
    }

    /** The token behind each document, and that of the padding. */
    public int separator() {
        return tokenizer.separator();
    }

    @Override
    public void close() {
        stream.close();
    }

    /** Lets go of the open file if the vocabulary or the check fails. */
    private static TokenSource opened(
            Units units, IngestSettings settings, Consumer<TokenSource> check) {
        try {
            Tokenizer tokenizer = Tokenizer.named(settings.tokenizer());
            TokenSource source =
                    new TokenSource(settings, tokenizer, new TokenStream(units, tokenizer));
            check.accept(source);
            return source;
        } catch (RuntimeException e) {
            units.close();
            throw e;
        }
    }

    private void checkNotEmpty() {
        if (!stream.hasNext()) {
            throw new InvalidRequestException(
                    "Cannot ingest empty inputs: there is no document in them; check the paths");
        }
    }

    private void skip(long tokens) {
        if (tokens > 0 && !stream.skip(tokens)) {
            throw new InvalidRequestException(
                    "Cannot resume behind "
                            + tokens
                            + " tokens of "
                            + position()
                            + ": so many are not there, though the text has not changed; use the"
                            + " release that ingested it");
        }
    }
}
