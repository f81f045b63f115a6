package io.batchweave.model;

/**
 * What makes a producer's entry exactly-once.
 *
 * @param epoch version of the commit that opened the incarnation
 * @param sequence counts the producer's claims over all its epochs, from 0
 */
public record Claim(String producer, long epoch, long sequence) {
    public Claim {
        Names.checkPathPart("producer", producer);
        if (epoch < 0 || sequence < 0) {
            throw new IllegalArgumentException(
                    "Invalid claim of producer "
                            + producer
                            + ": epoch "
                            + epoch
                            + ", sequence "
                            + sequence);
        }
    }

    @Override
    public String toString() {
        return "producer " + producer + " epoch " + epoch + " sequence " + sequence;
    }
}
