package io.batchweave.sidecar.arena;

import io.batchweave.model.Slice;
import io.batchweave.read.SliceRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is left of runs of slices where others fetch some of them. */
final class Wanted {
    private Wanted() {}

    /** The runs of these slices alone, in order. */
    static List<SliceRun> of(List<SliceRun> runs, List<Held> held) {
        Set<Integer> indexes =
                held.stream().map(each -> each.key().index()).collect(Collectors.toSet());
        List<SliceRun> wanted = new ArrayList<>();
        for (SliceRun run : runs) {
            List<Slice> adjacent = new ArrayList<>();
            for (int i = 0; i <= run.slices().size(); i++) {
                int index = run.firstIndex() + i;
                if (i < run.slices().size() && indexes.contains(index)) {
                    adjacent.add(run.slices().get(i));
                } else if (!adjacent.isEmpty()) {
                    wanted.add(new SliceRun(run.part(), index - adjacent.size(), adjacent));
                    adjacent = new ArrayList<>();
                }
            }
        }
        return wanted;
    }
}
