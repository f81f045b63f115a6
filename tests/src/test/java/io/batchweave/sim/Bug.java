package io.batchweave.sim;

/**
 * Bugs that the simulation must find: a place in the code, what stands there, and what an error
 * would have put there. White space does not count.
 */
enum Bug {
    REFUSAL_IS_TAKEN_FOR_OUR_OWN_SUCCESS(
            "log.Reading",
            "if (offer instanceof Creation.Done) {",
            "if (!(offer instanceof Creation.Unknown)) {"),
    REFUSAL_IS_TAKEN_FOR_ANOTHERS_SUCCESS(
            "log.Append",
            "if (!(offer instanceof Creation.Done)) {",
            "if (offer instanceof Creation.Refused) { throw new FencedException(\"lost\"); }"
                    + " if (!(offer instanceof Creation.Done)) {"),
    CONFLICT_IS_TAKEN_FOR_FAILED(
            "log.Append",
            "offers.made(offer);",
            "if (offer instanceof Creation.Unknown) { throw new FencedException(\"failed\"); }"
                    + " offers.made(offer);"),
    UNKNOWN_IS_TAKEN_FOR_DONE(
            "log.Reading",
            "if (offer instanceof Creation.Done) {",
            "if (!(offer instanceof Creation.Refused)) {"),
    STATE_MOVES_ON_BEFORE_THE_COMMIT_IS_CONFIRMED(
            "log.Reading",
            "Creation offer = commits.offer(reached.version() + 1, body);",
            "State shown = state; state = applied.state(); Creation offer ="
                    + " commits.offer(reached.version() + 1, body); state = shown;"),
    FAILURE_AFTER_AN_OFFER_IS_TAKEN_FOR_ONE_BEFORE(
            "log.Offers",
            "return made == 0 ? nothingOffered(cause) : unknown(\"because the store failed\","
                    + " cause);",
            "return nothingOffered(cause);"),
    RETRY_HAS_OTHER_BYTES(
            "log.Append",
            "reading.offerNext(next, body)",
            "reading.offerNext(next, CommitCodec.encode(new Commit(commit.id(),"
                    + " commit.time().plusMillis(offers.made()), commit.writer(),"
                    + " commit.entries())))"),
    WRITER_SKIPS_VERSIONS(
            "log.Reading",
            "commits.offer(reached.version() + 1, body)",
            "commits.offer(reached.version() + (reached == state ? 1 : 2), body)"),
    DAMAGED_VERSION_IS_PASSED_OVER(
            "log.Reading",
            "Optional<Commit> next = commits.read(reached.version() + 1);",
            "Optional<Commit> next; try { next = commits.read(reached.version() + 1); } catch"
                    + " (CorruptException e) { next = Optional.of(commits.commit(java.util.List.of("
                    + "new io.batchweave.model.Entry.Seal("
                    + "io.batchweave.model.Entry.SealCondition.ALL_FINISHED)))); }"),
    WHAT_WAS_FENCED_LATER_IS_TAKEN_FOR_NEVER_IN(
            "log.Append",
            "!attempt().repeats() && offers.timeRemains() && readNext();",
            "offers.timeRemains() && readNext();"),
    TWO_EPOCHS_ARE_ACCEPTED(
            "state.Transition",
            "if (claim.epoch() < producer.epoch()) {",
            "if (claim.epoch() < 0) {"),
    UNOPENED_EPOCH_IS_ACCEPTED(
            "state.Transition",
            "if (producer == null || claim.epoch() > producer.epoch()) {",
            "if (producer == null) {"),
    REPEATED_CLAIM_IS_APPLIED(
            "state.Transition",
            "if (claim.sequence() < producer.nextSequence()) {",
            "if (claim.sequence() < 0) {"),
    GAP_IS_ACCEPTED(
            "state.Transition",
            "if (claim.sequence() > producer.nextSequence()) {",
            "if (claim.sequence() < 0) {"),
    BATCH_WITHOUT_A_SLICE_IS_ACCEPTED(
            "state.Transition",
            "if (batch.slices() != dataset.grid().slices()) {",
            "if (batch.slices() > dataset.grid().slices()) {"),
    FIRST_TO_FINISH_SEALS(
            "state.Transition",
            "if (!dataset.producers().isEmpty() && state().unfinished().isEmpty()) {",
            "if (!dataset.producers().isEmpty()) {"),
    SEQUENCES_RESTART_WITH_EACH_EPOCH(
            "state.ProducerState",
            "new ProducerState(version, id, nextSequence, Activity.OPEN, progress, steps, NO_STEP,",
            "new ProducerState(version, id, 0, Activity.OPEN, progress, steps, NO_STEP,"),
    RECEIPT_FORGETS_WHAT_WAS_BEFORE("state.Receipts", "sha256.update(before.asBuffer());", ""),
    PROGRESS_COMES_LATER_THAN_ITS_BATCH(
            "produce.BatchWriter",
            "new Publish(claim, progress, batch)",
            "new Publish(claim, producer.progress(), batch)"),
    COMMIT_IS_OFFERED_BEFORE_ITS_PAYLOAD(
            "produce.CommitQueue",
            "batches.forEach(batch -> batch.upload().complete(log.world())); List<Entry> entries ="
                    + " batches.stream().map(batch -> (Entry) batch.entry()).toList();"
                    + " log.append(entries);",
            "List<Entry> entries = batches.stream().map(batch -> (Entry)"
                    + " batch.entry()).toList(); log.append(entries);"
                    + " batches.forEach(batch -> batch.upload().complete(log.world()));"),
    UNKNOWN_UPLOAD_IS_TAKEN_FOR_DONE(
            "produce.PartUpload",
            "if (upload.complete() instanceof Creation.Done) {",
            "if (!(upload.complete() instanceof Creation.Refused)) {"),
    NEWER_EPOCH_IS_TAKEN_FOR_OUR_OWN(
            "produce.Producer",
            "State state = log.append(List.of(opening));",
            "log.append(List.of(opening)); State state = log.catchUp();"),
    COMMIT_DOES_NOT_WAIT_FOR_AN_UPLOAD_BEGUN_ELSEWHERE(
            "produce.BatchUpload",
            "world.pause().await(visible); visible.getNow(null);",
            "if (visible.isDone()) { world.pause().await(visible); visible.getNow(null); }"),
    WHO_WAITS_FOR_A_COMMIT_IS_NOT_TOLD(
            "produce.CommitQueue", "settled(batches).complete(null);", ""),
    STEP_THAT_CANNOT_BE_FETCHED_IS_SKIPPED("read.Prefetch", "steps.addFirst(first.again());", ""),
    PINS_COME_FROM_THE_LIST_OF_CHECKPOINTS(
            "state.JobState",
            "Stream.concat(Stream.of(position), checkpoints.stream())",
            "(checkpoints.isEmpty() ? Stream.of(position) : checkpoints.stream().skip("
                    + "checkpoints.size() - 1L))"),
    SKIP_IS_APPLIED_IN_MID_SESSION(
            "read.Course",
            "session.job(), session.id(), session.passed());",
            "session.job(), session.id(),"
                    + " session.passed().and(state.skips().steps().from(session.start().nextStep())));"),
    HALF_ACKNOWLEDGED_CHECKPOINT_COUNTS(
            "retain.Job", "return count < shard.worldSize()", "return count < 1"),
    DETACHED_JOB_MAY_STILL_MAKE_CHECKPOINTS(
            "state.JobTransition",
            "if (!job.isAttached()) {",
            "if (!job.isAttached() && !(entry instanceof Checkpoint)) {"),
    DETACHED_JOB_STILL_PINS("state.Pin", ".filter(job -> job.getValue().isAttached())", ""),
    WHERE_A_JOB_WOULD_START_IS_RELEASED(
            "state.JobTransition",
            "if (job.position().checkpoint().equals(entry.checkpoint())) {",
            "if (job.checkpoints().size() > job.keep()) {"),
    LEAD_IS_MEASURED_FROM_A_DETACHED_JOB(
            "state.Retention", ".filter(job -> job.getValue().isAttached())", ""),
    WHAT_IS_IN_FLIGHT_IS_NO_LEAD(
            "produce.Lead",
            "state.nextStep() + inFlight - job.nextStep() >= maxLead",
            "state.nextStep() - job.nextStep() >= maxLead"),
    BOUNDARIES_ARE_NOT_LOOKED_FOR(
            "log.Surety",
            "if (!isTooYoungToBeTrimmed(now) && !boundaries.after(sure).isEmpty()) {",
            "if (false) {"),
    COMMIT_IS_ACKNOWLEDGED_BEFORE_IT_IS_CONFIRMED(
            "log.Append",
            "} while (!isConfirmed()); return reading.state();",
            "} while (false); return reading.reached();"),
    RUN_OF_READS_IS_NOT_CONFIRMED(
            "log.Reading",
            "isSure = readOn(goesOn) && confirm();",
            "isSure = readOn(goesOn); state = reached;"),
    COMMITS_ARE_DELETED_BEFORE_THE_BOUNDARY_IS_THERE(
            "log.Log",
            "Instant now = commits.latest().orElseThrow(); trim.due(",
            "Instant now = commits.latest().orElseThrow();"
                    + " trim.delete((sure.version() + 1) / 64 * 64 - 1); trim.due("),
    COMMITS_ARE_DELETED_BEFORE_THEY_ARE_PACKED(
            "log.Trim",
            "if (packs.isThere(number) || packs.create(number)) {",
            "if (number >= 0) {"),
    SWEEP_PASSES_WHAT_IS_PINNED(
            "state.Retention",
            "return Math.min(pinned, Math.max(0, head - settings.keepSteps()));",
            "return Math.max(0, head - settings.keepSteps());"),
    PAYLOAD_IS_DELETED_BEFORE_THE_LOG_SAYS_SO(
            "retain.Sweep",
            "State raised = raised(before);",
            "payload(before.lowStep(), Retention.keptFrom(before, log.storeTime()),"
                    + " this::delete); State raised = raised(before);"),
    WHAT_A_SWEEP_LEFT_IS_TAKEN_FOR_DELETED(
            "retain.Sweep",
            "payload(before.kept().sweptStep(), before.lowStep(), this::delete);",
            ""),
    JOB_ATTACHES_BELOW_THE_LOW_STEP(
            "state.JobTransition", "if (entry.fromStep() < lowStep) {", "if (false) {"),
    LAST_BATCH_OF_AN_EPOCH_IS_TAKEN_FOR_AN_ORPHAN(
            "state.ProducerState",
            "new FormerEpoch(epoch, nextSequence, lastStep)",
            "new FormerEpoch(epoch, nextSequence - 1, lastStep)"),
    LIVE_EPOCH_IS_TAKEN_FOR_ONE_THAT_IS_OVER(
            "state.ProducerState", "return someEpoch < epoch ||", "return someEpoch <= epoch ||"),
    SLICES_ARE_NOT_VERIFIED(
            "read.StepFetch",
            "SliceReader.verify(bytes.nioBuffer(start, (int) slice.length()), slice, object);",
            "");

    private final String place;
    private final String correct;
    private final String wrong;

    Bug(String place, String correct, String wrong) {
        this.place = "io.batchweave." + place;
        this.correct = correct;
        this.wrong = wrong;
    }

    /** The class that has it. */
    String place() {
        return place;
    }

    String correct() {
        return correct;
    }

    String wrong() {
        return wrong;
    }
}
