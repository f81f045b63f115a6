package io.batchweave.cli.rows.parquet;

/**
 * The part of the heap that one thing of a file may take.
 *
 * @param bytes of it
 */
record HeapShare(long bytes) {
    private static final int PARTS = 3;
    private static final int OTHERS_MIB = 64;

    static HeapShare ofThisHeap() {
        return new HeapShare(Runtime.getRuntime().maxMemory() / PARTS);
    }

    boolean holds(long needed) {
        return needed <= bytes;
    }

    /** What there is, and how to get what is needed. */
    String remedy(long needed) {
        return "of this heap "
                + bytes
                + " can be used; run with BATCHWEAVE_JAVA_OPTS=-Xmx"
                + (PARTS * (needed >> 20) + OTHERS_MIB)
                + "m";
    }
}
