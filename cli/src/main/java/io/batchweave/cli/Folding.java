package io.batchweave.cli;

/** What folds beside a command that publishes, or nothing. */
interface Folding extends AutoCloseable {
    /** No view is looked after. */
    Folding NONE =
            new Folding() {
                @Override
                public void committed() {}

                @Override
                public void finish() {}

                @Override
                public void close() {}
            };

    /** Counts a commit. */
    void committed();

    /** Folds once more, when all is published; waits for that a limited time. */
    void finish();

    /** Ends what is still under way. */
    @Override
    void close();
}
