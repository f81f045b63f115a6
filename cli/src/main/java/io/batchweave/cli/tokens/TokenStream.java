package io.batchweave.cli.tokens;

import io.batchweave.cli.inputs.Fingerprint;
import io.batchweave.cli.inputs.Origin;
import java.util.Optional;

/** The tokens of all inputs, in order, with the exact position in them. */
final class TokenStream implements AutoCloseable {
    private static final Unit NOTHING =
            new Unit(0, "", new Origin("", new Fingerprint(0, ""), 0, 0), "", Unit.Edges.NONE);

    private final Units units;
    private final Tokenizer tokenizer;
    private UnitTokens unit;

    /** The tokens of {@code units}, which are closed with it. */
    TokenStream(Units units, Tokenizer tokenizer) {
        this.units = units;
        this.tokenizer = tokenizer;
        this.unit = new UnitTokens(NOTHING, tokenizer);
    }

    /** Whether a token follows; opens further inputs to find out. */
    boolean hasNext() {
        while (!unit.hasNext()) {
            Optional<Unit> next = units.next();
            if (next.isEmpty()) {
                return false;
            }
            unit = new UnitTokens(next.get(), tokenizer);
        }
        return true;
    }

    /** Whether the next token, which there must be, is the first of a document. */
    boolean atDocumentStart() {
        return unit.atDocumentStart();
    }

    /**
     * Copies up to {@code count} tokens, at least one, all of one document, from where {@link
     * #hasNext} was true.
     *
     * @return how many
     */
    int read(int[] target, int at, int count) {
        return unit.read(target, at, count);
    }

    /** The document of the tokens read last. */
    Origin origin() {
        return unit.unit().origin();
    }

    /** Passes over {@code count} tokens of the next unit, and says whether it has so many. */
    boolean skip(long count) {
        return hasNext() && unit.skip(count) == count;
    }

    /** What has been read so far: equal reading gives an equal place. */
    Units.Place place() {
        return unit.hasNext() ? units.within(unit.taken()) : units.behind();
    }

    @Override
    public void close() {
        units.close();
    }
}
