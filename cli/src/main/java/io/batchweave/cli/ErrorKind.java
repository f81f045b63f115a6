package io.batchweave.cli;

import io.batchweave.errors.NoAccessException;
import java.util.Locale;

/** What a program is to do about a failure, by a word; {@link ExitCode} says it by a number. */
enum ErrorKind {
    INVALID,
    NO_ACCESS,
    UNAVAILABLE,
    FENCED,
    EXPIRED,
    CORRUPT,
    UNKNOWN,
    UNSUPPORTED,
    INTERNAL;

    /** As programs read it: {@code no-access}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static ErrorKind of(Throwable thrown) {
        if (thrown instanceof NoAccessException) {
            return NO_ACCESS;
        }
        return switch (Failure.of(thrown).code()) {
            case INVALID -> INVALID;
            case UNAVAILABLE -> UNAVAILABLE;
            case FENCED -> FENCED;
            case EXPIRED -> EXPIRED;
            case CORRUPT -> CORRUPT;
            case UNKNOWN -> UNKNOWN;
            case UNSUPPORTED -> UNSUPPORTED;
            case OK, FOUND, INTERNAL, INTERRUPTED -> INTERNAL;
        };
    }
}
