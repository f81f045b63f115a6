package io.batchweave.read;

/** A step that was fetched. Closing it gives back what it took. */
public interface Delivered extends AutoCloseable {
    /** Where to read on once this step has been used. */
    Cursor cursor();

    default long step() {
        return cursor().nextStep() - 1;
    }

    @Override
    void close();
}
