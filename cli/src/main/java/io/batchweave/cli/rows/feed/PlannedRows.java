package io.batchweave.cli.rows.feed;

import io.batchweave.cli.order.RowOrder;
import io.batchweave.cli.order.RowPlan;
import io.batchweave.errors.InvalidRequestException;

/** The rows of one part, window after window and epoch after epoch. */
final class PlannedRows implements RowFeed {
    private final RowPlan plan;
    private final RowOrder order;
    private final RowWindow content;
    private WindowPosition at;
    private RowOrigin origin;
    private boolean isOpen;

    private PlannedRows(RowPlan plan, RowOrder order, RowWindow content, WindowPosition at) {
        this.plan = plan;
        this.order = order;
        this.content = content;
        this.at = at;
    }

    /** Begins at the first row of the part. */
    static RowFeed start(IndexedInputs inputs, RowOrder order, RowWindow content) {
        return new PlannedRows(inputs.plan(), order, content, inputs.start(order.part()));
    }

    /** Goes on behind committed rows, if the inputs are as they were. */
    static RowFeed resume(
            IndexedInputs inputs, RowOrder order, RowWindow content, WindowPosition committed) {
        WindowPosition now = inputs.start(order.part());
        boolean same =
                now.inputs().equals(committed.inputs())
                        && now.contents().equals(committed.contents());
        if (!same) {
            throw new InvalidRequestException(
                    "Cannot resume at "
                            + committed.describe()
                            + ": the inputs were "
                            + describe(committed)
                            + " and are "
                            + describe(now)
                            + "; an order is one of all its inputs: give them as they were, or use"
                            + " another producer");
        }
        PlannedRows rows = new PlannedRows(inputs.plan(), order, content, committed);
        rows.checkPlace();
        return rows;
    }

    private static String describe(WindowPosition position) {
        return position.inputs().describe() + " with contents of digest " + position.contents();
    }

    private void checkPlace() {
        boolean inPart = at.window() % order.parts() == order.part() - 1;
        if (!inPart || at.epoch() >= order.epochs() || at.taken() > plan.rows(at.window())) {
            throw new InvalidRequestException(
                    "Cannot resume at "
                            + at.describe()
                            + ": this order has no such place, though its inputs have not changed;"
                            + " use the release that ingested them");
        }
    }

    @Override
    public boolean read() {
        if (at.taken() == plan.rows(at.window()) && !moveOn()) {
            return false;
        }
        if (!isOpen) {
            content.open(at.epoch(), at.window(), at.taken());
            isOpen = true;
        }
        origin = content.append();
        at = at.at(at.epoch(), at.window(), at.taken() + 1);
        return true;
    }

    /** Moves to the next window that has rows, and stays if there is none. */
    private boolean moveOn() {
        int epoch = at.epoch();
        long window = at.window();
        do {
            window += order.parts();
            if (window >= plan.windows()) {
                window = order.part() - 1L;
                epoch++;
            }
            if (epoch == order.epochs()) {
                return false;
            }
        } while (plan.rows(window) == 0);
        at = at.at(epoch, window, 0);
        isOpen = false;
        return true;
    }

    @Override
    public RowOrigin origin() {
        return origin;
    }

    @Override
    public RowPosition position() {
        return at;
    }

    @Override
    public void close() {
        content.close();
    }
}
