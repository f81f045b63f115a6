package io.batchweave.cli.rows.reader;

import io.batchweave.cli.inputs.Input;
import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.function.Supplier;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Calls into libraries that read files of others. What a damaged file makes them throw is told in
 * one line; they have no one exception for it.
 */
public final class Guarded {
    private static final int TOLD_CHARS_MAX = 240;

    private Guarded() {}

    /** Work of a library. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws Exception;
    }

    /**
     * Runs {@code work}.
     *
     * @param place what is being read, for the message
     * @throws InvalidRequestException if it fails, unless a refusal of ours was the cause
     */
    public static <T> T call(Supplier<String> place, Work<T> work) {
        try {
            return work.run();
        } catch (OutOfMemoryError e) {
            // One request was larger than the heap, and nothing was taken of it: the heap is whole.
            throw tooLarge(place, e);
        } catch (StackOverflowError e) {
            throw new InvalidRequestException(
                    "Cannot ingest " + place.get() + ": it is nested too deep", e);
        } catch (AssertionError | Exception e) {
            // The libraries' assertions are about what they were given, where they are switched on.
            throw refusal(place, e);
        }
    }

    /** The refusal of an input for a reason of ours. */
    public static InvalidRequestException refusal(Input input, String why) {
        return new InvalidRequestException("Cannot ingest " + input + ": " + why);
    }

    private static BatchWeaveException refusal(Supplier<String> place, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BatchWeaveException ours) {
                return ours;
            }
            if (cause instanceof OutOfMemoryError) {
                return tooLarge(place, cause);
            }
            if (cause instanceof OutOfMemoryException) {
                return new InvalidRequestException(
                        "Cannot ingest "
                                + place.get()
                                + ": it needs more memory than one record batch is given"
                                + told(cause)
                                + "; write smaller record batches, or, if they are small, the file"
                                + " again: it is damaged",
                        cause);
            }
        }
        return new InvalidRequestException(
                "Cannot ingest "
                        + place.get()
                        + ": it is damaged, or uses what is not supported"
                        + told(failure)
                        + "; write the file again",
                failure);
    }

    private static InvalidRequestException tooLarge(Supplier<String> place, Throwable cause) {
        long mib = Runtime.getRuntime().maxMemory() >> 20;
        return new InvalidRequestException(
                "Cannot ingest "
                        + place.get()
                        + ": it needs more memory than the heap of "
                        + mib
                        + " MiB has; run with BATCHWEAVE_JAVA_OPTS=-Xmx"
                        + 2 * mib
                        + "m, or, if it is small, write it again: it is damaged",
                cause);
    }

    /** The first line of what a library says, if it is meant for people; it may quote the file. */
    private static String told(Throwable failure) {
        String text = String.valueOf(failure.getMessage()).strip().lines().findFirst().orElse("");
        boolean tells =
                !text.isEmpty()
                        && !text.equals("null")
                        && !(failure instanceof NullPointerException);
        return tells
                ? " ("
                        + Names.onOneLine(
                                text.substring(0, Math.min(TOLD_CHARS_MAX, text.length())))
                        + ")"
                : "";
    }
}
