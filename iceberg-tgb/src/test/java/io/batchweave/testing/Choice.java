package io.batchweave.testing;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Decides all that a simulated run leaves open: the same choices make the same run. Used by one
 * thread at a time.
 */
public interface Choice {
    /** One of several, from 0 to {@code options} - 1. */
    int of(int options);

    /**
     * Which of these moves is made next; negative: none, the run is not worth going on with.
     *
     * @param moves one for each thread that could go on, at least one; the oldest thread first
     * @param last where the thread is that moved last; negative if it cannot go on
     */
    int ofMoves(List<Move> moves, int last);

    /**
     * By chance; with this likelihood, from 0 to 1, a thread that can go on does. Some faults need
     * many changes of turn, others a long run of one thread.
     */
    static Choice random(RandomGenerator random, double stickiness) {
        return new Choice() {
            @Override
            public int of(int options) {
                return random.nextInt(options);
            }

            @Override
            public int ofMoves(List<Move> moves, int last) {
                return last >= 0 && random.nextDouble() < stickiness ? last : of(moves.size());
            }
        };
    }
}
