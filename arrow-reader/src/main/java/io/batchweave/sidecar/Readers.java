package io.batchweave.sidecar;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The readers of this node. Those of one session must agree on the mesh and on where they start: a
 * rank that forgot to load its checkpoint is found here. Thread-safe.
 */
final class Readers {
    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final InTurn<List<String>> ofJob = new InTurn<>();

    /**
     * Opens a reader of a job and registers it, while no other one of this job does: one without a
     * session then finds that of the rank before it.
     */
    Reader add(String datasetId, String job, Supplier<Reader> opening) {
        return ofJob.with(List.of(datasetId, job), () -> add(opening));
    }

    /** Opens a reader and registers it. */
    Reader add(Supplier<Reader> opening) {
        Reader reader = opening.get();
        try {
            register(reader);
        } catch (RuntimeException e) {
            reader.close();
            throw e;
        }
        return reader;
    }

    /** Of two that do not agree, one is let in. */
    private synchronized void register(Reader reader) {
        readers.stream()
                .filter(reader::isTogetherWith)
                .forEach(other -> demandAgreement(reader, other));
        readers.add(reader);
    }

    private static void demandAgreement(Reader reader, Reader other) {
        if (!reader.place().sizes().equals(other.place().sizes())) {
            throw refused(
                    reader,
                    "%s has mesh %s; end it, or name another session"
                            .formatted(other.who(), other.place().sizes()));
        }
        if (goesOnAlone(reader) || goesOnAlone(other)) {
            return;
        }
        // One that was killed comes back alone, to a step that the others have had or are at.
        boolean fits =
                other.isFresh()
                        ? reader.stepOpened() == other.stepOpened()
                        : reader.stepOpened() >= other.stepOpened()
                                && reader.stepOpened() <= other.nextStep();
        if (!fits) {
            throw refused(
                    reader,
                    "%s opened at step %d and is at step %d; load the same checkpoint on all ranks, or end that one and name another session"
                            .formatted(other.who(), other.stepOpened(), other.nextStep()));
        }
    }

    /**
     * Whether its step says nothing about others: each worker of a data loader goes on where it
     * was, and so does each rank when the sidecar has died, one a step ahead of another.
     */
    private static boolean goesOnAlone(Reader reader) {
        return reader.isWorker() || reader.ask().arrival() == Ask.Arrival.GOES_ON;
    }

    private static InvalidRequestException refused(Reader reader, String why) {
        return new InvalidRequestException(
                "Cannot read with mesh %s from step %d together with the other ranks of the session: %s"
                        .formatted(
                                Names.printable(reader.place().text()), reader.stepOpened(), why));
    }

    /** The session that the ranks of a job are in, if any of them is here. */
    Optional<String> sessionOf(String datasetId, String job) {
        return readers.stream()
                .filter(reader -> reader.isOf(datasetId, job))
                .map(Reader::session)
                .findFirst();
    }

    void remove(Reader reader) {
        readers.remove(reader);
    }

    List<Reader> all() {
        return List.copyOf(readers);
    }

    /** Lets go of what was fetched ahead. */
    void makeRoom() {
        all().forEach(Reader::makeRoom);
    }

    /** How many different places are read: those at the same one share their slices. */
    long places() {
        return readers.stream().map(Reader::shared).distinct().count();
    }
}
