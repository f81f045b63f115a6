package io.batchweave.cli.rows.feed;

import io.batchweave.cli.inputs.Finished;
import io.batchweave.cli.inputs.Input;
import io.batchweave.cli.inputs.Inputs;
import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.order.RowPlan;
import io.batchweave.cli.rows.cells.SliceRows;
import io.batchweave.cli.rows.reader.Stretch;
import io.batchweave.model.Bytes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All inputs, in the order of their names, and the plan of their rows. */
final class IndexedInputs {
    private final List<IndexedInput> inputs;
    private final List<Stretched> stretches;
    private final RowPlan plan;

    /**
     * A stretch and the input it lies in.
     *
     * @param before how many rows of the input lie before it
     */
    record Stretched(IndexedInput in, Stretch stretch, long before) {
        /** Where its row at {@code index} comes from. */
        RowOrigin origin(int epoch, long index) {
            return new RowOrigin(in.input(), in.kind(), in.fingerprint(), epoch, before + index);
        }
    }

    private IndexedInputs(List<IndexedInput> inputs, RowOrder order) {
        this.inputs = inputs;
        this.stretches = inputs.stream().flatMap(each -> located(each).stream()).toList();
        this.plan =
                new RowPlan(
                        order,
                        stretches.stream().mapToLong(each -> each.stretch().rows()).toArray());
    }

    /** Reads all inputs, the first that cannot be ingested being refused. */
    static IndexedInputs of(
            Inputs inputs, Function<Input, RowInput> kinds, RowOrder order, SliceRows slice) {
        List<IndexedInput> indexed = new ArrayList<>();
        for (int index = 0; index < inputs.size(); index++) {
            Input input = inputs.file(index);
            indexed.add(IndexedInput.of(input, kinds.apply(input), slice));
        }
        indexed.sort(IndexedInput.BY_NAME_AND_DIGEST);
        return new IndexedInputs(List.copyOf(indexed), order);
    }

    private static List<Stretched> located(IndexedInput input) {
        List<Stretched> located = new ArrayList<>();
        long before = 0;
        for (Stretch stretch : input.stretches()) {
            located.add(new Stretched(input, stretch, before));
            before += stretch.rows();
        }
        return located;
    }

    RowPlan plan() {
        return plan;
    }

    Stretched stretch(int index) {
        return stretches.get(index);
    }

    /** Before the first row of a part, counted from 1. */
    WindowPosition start(int part) {
        Finished all = Finished.NOTHING;
        MessageDigest contents = Bytes.sha256();
        for (IndexedInput each : inputs) {
            all = all.with(each.input().name(), each.fingerprint().size());
            contents.update(Bytes.fromHex(each.fingerprint().digest()).asBuffer());
        }
        return new WindowPosition(all, Bytes.digestOf(contents).toHex(), 0, part - 1, 0);
    }
}
