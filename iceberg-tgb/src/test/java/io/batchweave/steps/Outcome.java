package io.batchweave.steps;

import java.util.ArrayList;
import java.util.List;

/**
 * How a commit to a catalog comes out.
 *
 * @param looksThatFail so many of the looks that follow it are not answered
 */
public record Outcome(Done done, Answer answer, int looksThatFail) {
    /** What the catalog did with a commit. */
    public enum Done {
        APPLIED,
        NOT_APPLIED
    }

    /** What it says of it. */
    public enum Answer {
        LOST,
        ERROR,
        CONFLICT
    }

    /** Every one; looks work, or the first two fail. */
    public static List<Outcome> all() {
        List<Outcome> all = new ArrayList<>();
        for (Done done : Done.values()) {
            for (Answer answer : Answer.values()) {
                all.add(new Outcome(done, answer, 0));
                all.add(new Outcome(done, answer, 2));
            }
        }
        return all;
    }
}
