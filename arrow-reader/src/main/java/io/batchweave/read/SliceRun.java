package io.batchweave.read;

import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.state.StepRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Slices of one part that lie next to each other: what one ranged request fetches.
 *
 * @param part index of the part in its batch
 * @param firstIndex index of the first slice in the grid
 */
public record SliceRun(int part, int firstIndex, List<Slice> slices) {
    /** A run must fit one buffer. */
    private static final long BYTES_MAX = 1L << 30;

    /** Where it begins in its part, in bytes. */
    public long offset() {
        return slices.get(0).offset();
    }

    /** In bytes. */
    public long length() {
        Slice last = slices.get(slices.size() - 1);
        return last.offset() + last.length() - offset();
    }

    /** The length in memory, where the next run is aligned like the first. */
    public long paddedBytes() {
        return StepMemory.aligned(length());
    }

    /** The runs that hold these slices of a step. */
    public static List<SliceRun> of(StepRecord step, List<Integer> indexes) {
        List<SliceRun> runs = new ArrayList<>();
        int firstOfPart = 0;
        int next = 0;
        List<Part> parts = step.batch().parts();
        for (int part = 0; part < parts.size(); part++) {
            List<Slice> slices = parts.get(part).slices();
            while (next < indexes.size() && indexes.get(next) < firstOfPart + slices.size()) {
                int index = indexes.get(next++);
                add(runs, part, index, slices.get(index - firstOfPart));
            }
            firstOfPart += slices.size();
        }
        return runs;
    }

    private static void add(List<SliceRun> runs, int part, int index, Slice slice) {
        if (!runs.isEmpty() && runs.get(runs.size() - 1).continuesWith(part, slice)) {
            runs.get(runs.size() - 1).slices().add(slice);
        } else {
            runs.add(new SliceRun(part, index, new ArrayList<>(List.of(slice))));
        }
    }

    private boolean continuesWith(int otherPart, Slice next) {
        return part == otherPart
                && offset() + length() == next.offset()
                && length() + next.length() <= BYTES_MAX;
    }
}
