package io.batchweave.cli.tokens;

import io.batchweave.model.Count;
import java.util.List;

/**
 * What rows hold.
 *
 * @param documents documents that begin in them
 * @param tokens tokens of documents, their separators among them, padding not
 */
public record Tally(long documents, long tokens) {
    public static final Tally ZERO = new Tally(0, 0);

    public Tally plus(Tally other) {
        return new Tally(documents + other.documents, tokens + other.tokens);
    }

    /** As a global batch carries them. */
    public List<Count> counts() {
        return List.of(new Count("documents", documents), new Count("tokens", tokens));
    }
}
