package io.batchweave.retain;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.log.Log;
import io.batchweave.model.Layout;
import io.batchweave.state.Session;
import io.batchweave.store.Creation;
import io.batchweave.store.ObjectStore;
import io.batchweave.world.Deadline;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/**
 * What the ranks of one session say of one checkpoint. Each says it by creating an object whose key
 * says it all (JOB-3), so that whoever comes last needs a listing, and reads nothing.
 */
final class Acknowledgements {
    private static final Duration CREATION = Duration.ofSeconds(60);
    private static final Duration BACK_OFF_MOST = Duration.ofMillis(200);

    private final Log log;
    private final String folder;
    private final String what;
    private final Saved saved;
    private final Session session;

    Acknowledgements(Log log, Session session, Saved saved, int worldSize) {
        this.log = log;
        this.session = session;
        this.saved = saved;
        this.folder =
                log.layout().acknowledgements(session.job(), session.version(), saved.checkpoint());
        this.what = new Statement(saved.nextStep(), worldSize, saved.receipt()).toString();
    }

    /**
     * Says it, durably. What lies there already is what this rank said before: the key leaves room
     * for nothing else.
     *
     * @throws UnavailableException if the store did not confirm it in time; say it again
     */
    void add(int rank) {
        String key = folder + "/" + what + "/" + Layout.cut(rank) + "/" + Layout.padded(rank);
        ObjectStore store = log.store();
        Deadline deadline = log.world().deadline(CREATION);
        while (store.create(key, ByteBuffer.allocate(0)) instanceof Creation.Unknown unknown) {
            if (!deadline.remains() || Thread.currentThread().isInterrupted()) {
                throw new UnavailableException(
                        "Cannot create "
                                + store.nameOf(key)
                                + ": the store did not confirm it; acknowledge the checkpoint again",
                        unknown.cause());
            }
            log.world().pauseUpTo(BACK_OFF_MOST);
        }
    }

    /**
     * How many ranks have said the same.
     *
     * @throws InvalidRequestException if one has said something else
     */
    int count(int worldSize) {
        demandAgreement();
        int count = 0;
        for (int first = 0; first < worldSize; first += Layout.FOLDER_ENTRIES) {
            String part = folder + "/" + what + "/" + Layout.cut(first);
            count += log.store().list(part, "").objects().size();
        }
        return count;
    }

    /**
     * Makes sure that no rank has said something else.
     *
     * @throws InvalidRequestException if one has
     */
    void demandAgreement() {
        Optional<String> other =
                log.store().list(folder, "").folders().stream()
                        .filter(name -> !name.equals(what) && holdsAny(folder + "/" + name))
                        .findFirst();
        if (other.isPresent()) {
            throw new InvalidRequestException(
                    "Cannot acknowledge checkpoint "
                            + saved.checkpoint()
                            + " of job "
                            + session.job()
                            + " in session "
                            + session.id()
                            + ": ranks disagree: this one says "
                            + text(what)
                            + ", another says "
                            + text(other.get())
                            + "; let all say the same of a checkpoint of another name");
        }
    }

    /** Where folders are real, one may be left of an acknowledgement that never came. */
    private boolean holdsAny(String statement) {
        return log.store().list(statement, "").folders().stream()
                .anyMatch(
                        part -> !log.store().list(statement + "/" + part, "").objects().isEmpty());
    }

    private static String text(String statement) {
        return Statement.parse(statement).map(Statement::text).orElse(statement);
    }
}
