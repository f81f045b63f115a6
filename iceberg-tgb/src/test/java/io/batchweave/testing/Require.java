package io.batchweave.testing;

import org.opentest4j.TestAbortedException;

/**
 * What a test needs of the machine it runs on.
 *
 * <p>A stranger who builds the project may lack a tool: there the test is skipped, counted as
 * skipped, and says what to install. Under {@code CI=true} everything is expected to be installed,
 * so that a test which quietly stopped running fails the build.
 */
public final class Require {
    private Require() {}

    /**
     * Goes on if the machine has what the test needs.
     *
     * @param present whether it is there
     * @param otherwise what is missing, why the test needs it and what to install
     */
    public static void that(boolean present, String otherwise) {
        that(present, otherwise, System.getenv("CI"));
    }

    static void that(boolean present, String otherwise, String ci) {
        if (present) {
            return;
        }
        if ("true".equals(ci)) {
            throw new AssertionError("Under CI=true no test may be skipped: " + otherwise);
        }
        System.err.println("Skipped: " + otherwise);
        throw new TestAbortedException(otherwise);
    }
}
