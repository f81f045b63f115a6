package io.batchweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

/** What is told of a failure, and how the process ends. */
class FailureTest {

    @Test
    void eachKindOfFailureHasItsExitCode() {
        assertThat(Failure.of(new InvalidRequestException("why")).code().code()).isEqualTo(2);
        assertThat(Failure.of(new IllegalArgumentException("why")).code().code()).isEqualTo(2);
        assertThat(Failure.of(new NoAccessException("why")).code().code()).isEqualTo(2);
        assertThat(Failure.of(new UnavailableException("why")).code().code()).isEqualTo(3);
        assertThat(Failure.of(new FencedException("why")).code().code()).isEqualTo(4);
        assertThat(Failure.of(new CorruptException("why")).code().code()).isEqualTo(5);
        assertThat(Failure.of(new CommitUnknownException("why")).code().code()).isEqualTo(6);
        assertThat(Failure.of(new UnsupportedFeatureException("why")).code().code()).isEqualTo(7);
        assertThat(Failure.of(new ExpiredException("why", 9)).code().code()).isEqualTo(8);
        assertThat(Failure.of(new IllegalStateException("why")).code().code()).isEqualTo(70);
    }

    @Test
    void aKnownFailureSpeaksForItself() {
        Failure failure = Failure.of(new CompletionException(new CorruptException("Cannot read")));

        assertThat(failure).isEqualTo(new Failure(ExitCode.CORRUPT, "Cannot read"));
    }

    @Test
    void aFaultOfOursAsksForAReport() {
        assertThat(Failure.of(new IllegalStateException("odd")).text())
                .isEqualTo(
                        "Cannot go on: this is a fault of BatchWeave itself"
                                + " (java.lang.IllegalStateException: odd); please report it, with"
                                + " what a run with BATCHWEAVE_DEBUG=1 prints");
    }

    @Test
    void lackOfMemoryIsNoFaultOfOurs() {
        assertThat(Failure.of(new OutOfMemoryError("Java heap space")).text())
                .startsWith("Cannot go on: out of memory (Java heap space); give it more");
        assertThat(Failure.of(new OutOfMemoryException("no room")).text())
                .startsWith("Cannot go on: out of memory (no room); give it more");
    }

    @Test
    void whateverAMessageQuotesItStaysOneLine() {
        StringWriter err = new StringWriter();

        new ErrorLines(new PrintWriter(err)).tell("a\nb\r\u001b[31m\u2028ü\uD83D\uDE00");

        assertThat(err.toString())
                .endsWith("batchweave: a\\u000ab\\u000d\\u001b[31m\\u2028ü\uD83D\uDE00\n");
    }

    @Test
    void aReaderThatLeavesIsNoLossButAFullDiskIs() {
        WatchedOutput left = failing("Broken pipe");
        WatchedOutput full = failing("No space left on device");
        WatchedOutput taken = new WatchedOutput(new ByteArrayOutputStream());
        for (WatchedOutput output : new WatchedOutput[] {left, full, taken}) {
            PrintWriter writer = new PrintWriter(output, false, UTF_8);
            writer.print("text");
            writer.flush();
        }

        assertThat(left.loss()).isEmpty();
        assertThat(full.loss()).get().extracting(IOException::getMessage).asString().contains("No");
        assertThat(taken.loss()).isEmpty();
    }

    private static WatchedOutput failing(String why) {
        return new WatchedOutput(
                new OutputStream() {
                    @Override
                    public void write(int aByte) throws IOException {
                        throw new IOException(why);
                    }
                });
    }

    @Test
    void ofACommandAndTheSignalThatEndsItOnlyOneSpeaks() {
        StringWriter err = new StringWriter();
        ErrorLines errors = new ErrorLines(new PrintWriter(err));
        Interruption completed = new Interruption();
        Interruption interrupted = new Interruption();

        assertThat(completed.end()).isTrue();
        completed.processEnds(errors);
        assertThat(err.toString()).isEmpty();

        Interruptible command = () -> "what was done stays";
        interrupted.concerns(command);
        interrupted.processEnds(errors);
        assertThat(interrupted.end()).isFalse();
        assertThat(err.toString()).endsWith("batchweave: Interrupted: what was done stays\n");
    }
}
