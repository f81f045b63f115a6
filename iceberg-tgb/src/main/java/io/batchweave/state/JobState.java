package io.batchweave.state;

import io.batchweave.model.Bytes;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.StepRanges;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is known of one job.
 *
 * @param attachmentId what its entries name
 * @param attached where and when it attached
 * @param version of the commit that attached it
 * @param keep how many checkpoints it keeps
 * @param position where it would start if it started now: its newest checkpoint, or where its
 *     session started if there is none of it yet, or where it attached
 * @param sessions its latest session, or none
 * @param formerSessions ids of the sessions before that one, the newest last
 * @param checkpoints those it keeps, in the order in which they came
 */
public record JobState(
        String attachmentId,
        Position attached,
        long version,
        int keep,
        Attachment attachment,
        Position position,
        List<Session> sessions,
        List<String> formerSessions,
        List<Position> checkpoints) {
    /** So many ids of earlier sessions are known. */
    public static final int FORMER_SESSIONS_MAX = 16;

    /** Whether a job may still need anything. */
    public enum Attachment {
        ATTACHED,
        DETACHED
    }

    public JobState {
        sessions = List.copyOf(sessions);
        formerSessions = List.copyOf(formerSessions);
        checkpoints = List.copyOf(checkpoints);
    }

    static JobState attached(AttachJob entry, long version, Instant at) {
        Position start =
                new Position(
                        "", entry.fromStep(), Bytes.EMPTY, StepRanges.before(entry.fromStep()), at);
        return new JobState(
                entry.attachmentId(),
                start,
                version,
                entry.keep(),
                Attachment.ATTACHED,
                start,
                List.of(),
                List.of(),
                List.of());
    }

    public boolean isAttached() {
        return attachment == Attachment.ATTACHED;
    }

    /** Its latest session, if it ever started one. */
    public Optional<Session> session() {
        return sessions.stream().findFirst();
    }

    /** The checkpoint of this name, if it is kept. */
    public Optional<Position> checkpoint(String name) {
        return checkpoints.stream().filter(kept -> kept.checkpoint().equals(name)).findFirst();
    }

    /** The steps below {@code end} that a model of the job has not seen. */
    public StepRanges passed(long end) {
        return session().map(Session::passed).orElse(attached.passed()).below(end);
    }

    /** The lowest of the places that it may start at: it may need every step from there on. */
    public Position pin() {
        return Stream.concat(Stream.of(position), checkpoints.stream())
                .reduce((a, b) -> b.nextStep() < a.nextStep() ? b : a)
                .orElseThrow();
    }

    JobState detached() {
        return new JobState(
                attachmentId,
                attached,
                version,
                keep,
                Attachment.DETACHED,
                position,
                List.of(),
                List.of(),
                List.of());
    }

    JobState started(Session next) {
        List<String> former =
                Stream.concat(formerSessions.stream(), sessions.stream().map(Session::id)).toList();
        return new JobState(
                attachmentId,
                attached,
                version,
                keep,
                attachment,
                next.start(),
                List.of(next),
                newest(former, FORMER_SESSIONS_MAX),
                checkpoints);
    }

    JobState checkpointed(Position made) {
        List<Position> all = Stream.concat(checkpoints.stream(), Stream.of(made)).toList();
        return new JobState(
                attachmentId,
                attached,
                version,
                keep,
                attachment,
                made,
                sessions,
                formerSessions,
                newest(all, keep));
    }

    JobState released(String checkpoint) {
        return new JobState(
                attachmentId,
                attached,
                version,
                keep,
                attachment,
                position,
                sessions,
                formerSessions,
                checkpoints.stream()
                        .filter(kept -> !kept.checkpoint().equals(checkpoint))
                        .toList());
    }

    private static <T> List<T> newest(List<T> all, int most) {
        return all.subList(Math.max(0, all.size() - most), all.size());
    }
}
