package io.batchweave.sim;

import io.batchweave.testing.Choice;
import io.batchweave.testing.Move;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All choices there are, one run after the other, depth first.
 *
 * <p>Of runs that differ only in the order of moves that commute, one is enough: where a move was
 * tried first, and the other order is tried next, it sleeps until a move is made that does not
 * commute with it (sleep sets; Godefroid 1996). A run in which all that could move sleep is a copy
 * of one that was made, and is given up.
 */
final class AllChoices implements Choice {
    private final List<Node> path = new ArrayList<>();
    private int depth;

    /** Moves of which one is made; or, without moves, so many options. */
    private static final class Node {
        private final List<Move> moves;
        private final int options;
        private final Set<Move> asleep;
        private final Set<Move> tried = new HashSet<>();
        private int chosen;

        Node(List<Move> moves, int options, Set<Move> asleep) {
            this.moves = moves;
            this.options = options;
            this.asleep = asleep;
            this.chosen = -1;
        }

        /** Goes on to the next one worth choosing; false if there is none. */
        boolean advance() {
            if (!moves.isEmpty() && chosen >= 0) {
                tried.add(moves.get(chosen));
            }
            do {
                chosen++;
            } while (chosen < options && !moves.isEmpty() && asleep.contains(moves.get(chosen)));
            return chosen < options;
        }

        /** What sleeps after the move that is chosen. */
        Set<Move> asleepAfter() {
            Set<Move> sleepers = new HashSet<>(asleep);
            sleepers.addAll(tried);
            sleepers.removeIf(move -> !move.commutesWith(moves.get(chosen)));
            return sleepers;
        }
    }

    /** Makes ready for the next run; false if all have been made. */
    boolean next() {
        depth = 0;
        while (!path.isEmpty()) {
            if (path.get(path.size() - 1).advance()) {
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }

    @Override
    public int of(int options) {
        return follow(List.of(), options);
    }

    @Override
    public int ofMoves(List<Move> moves, int last) {
        // What nobody else can notice needs no other order.
        if (last >= 0 && moves.get(last).isLocal()) {
            return last;
        }
        for (int i = 0; i < moves.size(); i++) {
            if (moves.get(i).isLocal()) {
                return i;
            }
        }
        return follow(moves, moves.size());
    }

    private int follow(List<Move> moves, int options) {
        if (depth == path.size()) {
            Node node = new Node(moves, options, moves.isEmpty() ? Set.of() : asleep());
            if (!node.advance()) {
                return -1;
            }
            path.add(node);
        }
        Node node = path.get(depth++);
        Violation.unless(
                node.moves.equals(moves) && node.options == options,
                () ->
                        "the same choices made another run: %s instead of %s"
                                .formatted(moves, node.moves));
        return node.chosen;
    }

    private Set<Move> asleep() {
        for (int i = path.size() - 1; i >= 0; i--) {
            if (!path.get(i).moves.isEmpty()) {
                return path.get(i).asleepAfter();
            }
        }
        return Set.of();
    }
}
