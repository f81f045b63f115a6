package io.batchweave.cli.rows.reader;

import io.batchweave.cli.inputs.Fingerprint;
import java.util.List;

/** What is known of an input that has been read once: its bytes, and where its rows lie. */
public record Index(Fingerprint fingerprint, List<Stretch> stretches) {
    public Index {
        stretches = List.copyOf(stretches);
    }
}
