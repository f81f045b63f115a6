package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.read.Cursor;
import io.batchweave.read.Turn;
import java.util.Optional;

/**
 * What a reader asks for when it opens.
 *
 * @param mesh the place; empty: the whole grid
 * @param from the first step, where neither a job nor a cursor says it
 * @param arrival whether it comes back
 * @param process of the client, where it has told
 */
record Ask(
        String warehouse,
        String dataset,
        Optional<String> mesh,
        Optional<String> job,
        Optional<String> session,
        Optional<Cursor> cursor,
        Optional<Long> from,
        Turn turn,
        Arrival arrival,
        Optional<Long> process) {

    /** Whether a reader begins, or goes on where a connection that ended has left it. */
    enum Arrival {
        BEGINS,
        GOES_ON
    }

    static Ask of(Request request) {
        Ask ask =
                new Ask(
                        request.required("warehouse"),
                        request.required("dataset"),
                        request.text("mesh"),
                        request.text("job"),
                        request.text("session"),
                        request.text("cursor").map(Cursor::parse),
                        request.number("from"),
                        new Turn(request.count("worker", 0), request.count("workers", 1)),
                        request.says("goes_on") ? Arrival.GOES_ON : Arrival.BEGINS,
                        Optional.empty());
        if (ask.session.isPresent() && ask.job.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot read in session "
                            + ask.session.get()
                            + ": it names no job; name the job whose session it is");
        }
        if (ask.cursor.isPresent() && ask.from.isPresent()) {
            throw new InvalidRequestException(
                    "Cannot start both at a cursor and at a step: name one of them");
        }
        return ask;
    }

    /** The same, asked by a process of this number. */
    Ask by(long pid) {
        return new Ask(
                warehouse,
                dataset,
                mesh,
                job,
                session,
                cursor,
                from,
                turn,
                arrival,
                Optional.of(pid));
    }
}
