package io.batchweave.store.hadoop;

import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * What went wrong with a file, in words that can end a message. Of what a connector says only the
 * kind is repeated: its texts may hold addresses with signatures in them.
 */
final class Why {
    private static final String NOWHERE_TO_PUT = "could only be written to 0 of";

    private Why() {}

    /** What to throw, as a text that says what could not be done. */
    static UnavailableException failure(String what, Exception cause) {
        String text = what + ": " + of(cause);
        return has(cause, AccessControlException.class)
                ? new NoAccessException(text, cause)
                : new UnavailableException(text, cause);
    }

    static String of(Exception failure) {
        if (isInterruption(failure)) {
            return "the thread was interrupted";
        }
        if (has(failure, SafeModeException.class)) {
            return "the NameNode is in safe mode; try later, or see 'hdfs dfsadmin -safemode get'";
        }
        if (has(failure, DSQuotaExceededException.class)
                || has(failure, NSQuotaExceededException.class)) {
            return "no space is left in a quota: " + firstLine(failure);
        }
        if (has(failure, AccessControlException.class)) {
            return "access is denied: " + firstLine(failure);
        }
        return find(failure, RemoteException.class::isInstance)
                .map(Why::answered)
                .orElseGet(() -> unanswered(failure));
    }

    private static String answered(Throwable answer) {
        String line = firstLine(answer);
        return line.contains(NOWHERE_TO_PUT)
                ? "no datanode takes it: they are full, or gone; see 'hdfs dfsadmin -report'"
                : "the server answered: " + line;
    }

    private static String unanswered(Exception failure) {
        if (has(failure, UnknownHostException.class)) {
            return "its host is unknown; check the URI, and that core-site.xml and hdfs-site.xml"
                    + " are on the class path (HADOOP_CONF_DIR)";
        }
        if (has(failure, ConnectException.class) || has(failure, NoRouteToHostException.class)) {
            return "no server could be reached; check that it runs, and the URI";
        }
        if (has(failure, SocketTimeoutException.class)) {
            return "no server answered in time; check that it runs, and the URI";
        }
        return "the request came to nothing (" + name(failure) + ")";
    }

    /** Whether the thread was interrupted; a time-out is of a class below that of interruptions. */
    static boolean isInterruption(Exception failure) {
        return has(failure, InterruptedException.class)
                || has(failure, ClosedByInterruptException.class)
                || find(
                                failure,
                                cause ->
                                        cause instanceof InterruptedIOException
                                                && !(cause instanceof SocketTimeoutException))
                        .isPresent();
    }

    /** Whether it is, or comes of, a failure of this class, here or in the server. */
    private static boolean has(Throwable failure, Class<? extends Exception> type) {
        return find(failure, cause -> type.isInstance(cause) || isFromAfar(cause, type))
                .isPresent();
    }

    private static boolean isFromAfar(Throwable cause, Class<? extends Exception> type) {
        return cause instanceof RemoteException answer
                && type.getName().equals(answer.getClassName());
    }

    private static Optional<Throwable> find(Throwable failure, Predicate<Throwable> wanted) {
        Throwable cause = failure;
        while (cause != null && !wanted.test(cause)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable(cause);
    }

    /** Servers send their stack traces along. */
    private static String firstLine(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        return text.lines().findFirst().orElse("").strip();
    }

    private static String name(Throwable failure) {
        Throwable last = failure;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getClass().getSimpleName();
    }
}
