package io.batchweave.produce;

/**
 * What one producer may take.
 *
 * @param batchesInFlightMax batches that are written and not yet in the log; a further one waits
 * @param partBytes a part that has grown beyond this is ended, and the next slice starts another
 */
public record ProducerLimits(int batchesInFlightMax, long partBytes) {
    public static final ProducerLimits DEFAULT = new ProducerLimits(8, 1L << 30);

    public ProducerLimits {
        if (batchesInFlightMax < 1 || partBytes < 1) {
            throw new IllegalArgumentException(
                    "Invalid limits of a producer: "
                            + batchesInFlightMax
                            + " batches in flight, parts of "
                            + partBytes
                            + " bytes; both must be at least 1");
        }
    }
}
