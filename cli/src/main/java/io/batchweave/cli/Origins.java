package io.batchweave.cli;

import io.batchweave.cli.inputs.Origin;
import io.batchweave.cli.inputs.RowRun;
import io.batchweave.model.Bytes;
import io.batchweave.model.Provenance;
import io.batchweave.model.Source;
import io.batchweave.model.SourceRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the rows of a batch come from, slice by slice. */
final class Origins {
    private final Map<Source, Integer> sources = new LinkedHashMap<>();
    private final List<SourceRows> rows = new ArrayList<>();
    private int slices;

    /** Adds what is in the next slice. */
    void addSlice(List<RowRun> runs) {
        for (RowRun run : runs) {
            Origin first = run.first();
            Source source =
                    new Source(
                            first.input(),
                            first.fingerprint().size(),
                            Bytes.fromHex(first.fingerprint().digest()),
                            first.epoch());
            sources.putIfAbsent(source, sources.size());
            rows.add(
                    new SourceRows(
                            slices, sources.get(source), first.row(), run.rows(), run.amount()));
        }
        slices++;
    }

    /** The inputs that all of it comes from. */
    Set<String> inputs() {
        return sources.keySet().stream().map(Source::input).collect(Collectors.toSet());
    }

    Provenance provenance() {
        return new Provenance(List.copyOf(sources.keySet()), rows);
    }
}
