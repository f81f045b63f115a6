package io.batchweave.cli.order;

/** The random numbers of the order, the same in every language; see the package's description. */
final class SplitMix64 {
    private long state;

    SplitMix64(long... keys) {
        for (long key : keys) {
            state ^= key;
            state = next();
        }
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** The numbers from 0 to below {@code count}, each once, in random order. */
    int[] permutation(int count) {
        int[] numbers = identity(count);
        for (int i = count - 1; i > 0; i--) {
            int other = (int) Long.remainderUnsigned(next(), i + 1L);
            int swapped = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = swapped;
        }
        return numbers;
    }

    static int[] identity(int count) {
        int[] numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i;
        }
        return numbers;
    }
}
