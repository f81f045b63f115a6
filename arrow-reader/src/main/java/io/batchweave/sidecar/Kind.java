package io.batchweave.sidecar;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What kinds of errors are told, by what the caller should do next. */
public enum Kind {
    INVALID("invalid"),
    NO_ACCESS("no-access"),
    UNAVAILABLE("unavailable"),
    FENCED("fenced"),
    EXPIRED("expired"),
    CORRUPT("corrupt"),
    UNKNOWN("unknown"),
    UNSUPPORTED("unsupported"),
    INTERNAL("internal");

    private static final Map<Class<? extends BatchWeaveException>, Kind> BY_CLASS =
            new LinkedHashMap<>();

    static {
        BY_CLASS.put(NoAccessException.class, NO_ACCESS);
        BY_CLASS.put(InvalidRequestException.class, INVALID);
        BY_CLASS.put(UnavailableException.class, UNAVAILABLE);
        BY_CLASS.put(FencedException.class, FENCED);
        BY_CLASS.put(ExpiredException.class, EXPIRED);
        BY_CLASS.put(CorruptException.class, CORRUPT);
        BY_CLASS.put(CommitUnknownException.class, UNKNOWN);
        BY_CLASS.put(UnsupportedFeatureException.class, UNSUPPORTED);
    }

    private final String text;

    Kind(String text) {
        this.text = text;
    }

    /** The kind of what was thrown. */
    public static Kind of(Throwable thrown) {
        if (thrown instanceof IllegalArgumentException) {
            return INVALID;
        }
        return BY_CLASS.entrySet().stream()
                .filter(known -> known.getKey().isInstance(thrown))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(INTERNAL);
    }

    /** As it is written in a line. */
    @Override
    public String toString() {
        return text;
    }
}
