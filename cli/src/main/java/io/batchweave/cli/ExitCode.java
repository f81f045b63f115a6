package io.batchweave.cli;

import io.batchweave.errors.BatchWeaveException;
import io.batchweave.errors.CommitUnknownException;
import io.batchweave.errors.CorruptException;
import io.batchweave.errors.ExpiredException;
import io.batchweave.errors.FencedException;
import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.NoAccessException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.errors.UnsupportedFeatureException;

/** How a command ends, for scripts. */
enum ExitCode {
    OK(0, "done"),
    FOUND(1, "verify, prove, probe or demo found something wrong"),
    INVALID(2, "the request, an input or the access to the store is wrong: mend it"),
    UNAVAILABLE(3, "the store did not answer, or what was waited for did not come: try later"),
    FENCED(4, "producer or session was replaced, or dataset sealed or dropped: stop"),
    CORRUPT(5, "stored bytes are not what was written: a person must look"),
    UNKNOWN(6, "whether the commit is in the log could not be learned: run the same again"),
    UNSUPPORTED(7, "the dataset needs a newer BatchWeave: upgrade"),
    EXPIRED(8, "the payload of that step is swept: start at the first step that is kept"),
    INTERNAL(70, "a fault of BatchWeave itself"),
    INTERRUPTED(130, "interrupted (143: by SIGTERM); what was committed stays");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    @Override
    public String toString() {
        return String.format("%3d  %s", code, meaning);
    }

    static ExitCode of(Throwable failure) {
        if (failure instanceof BatchWeaveException known) {
            return of(known);
        }
        return failure instanceof IllegalArgumentException ? INVALID : INTERNAL;
    }

    private static ExitCode of(BatchWeaveException failure) {
        if (failure instanceof InvalidRequestException || failure instanceof NoAccessException) {
            return INVALID;
        }
        if (failure instanceof UnavailableException) {
            return UNAVAILABLE;
        }
        if (failure instanceof FencedException) {
            return FENCED;
        }
        if (failure instanceof CorruptException) {
            return CORRUPT;
        }
        if (failure instanceof ExpiredException) {
            return EXPIRED;
        }
        if (failure instanceof CommitUnknownException) {
            return UNKNOWN;
        }
        return failure instanceof UnsupportedFeatureException ? UNSUPPORTED : INTERNAL;
    }
}
