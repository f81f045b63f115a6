package io.batchweave.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.DetachJob;
import io.batchweave.model.Entry.ReleaseCheckpoint;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.Entry.Unskip;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random entries of jobs, and of those who look after a dataset. */
final class RandomJobs {
    private RandomJobs() {}

    static Arbitrary<Entry> entries() {
        Arbitrary<String> names = RandomCommits.names();
        Arbitrary<String> ids = RandomCommits.ids();
        Arbitrary<String> namesOrNone = Arbitraries.oneOf(names, Arbitraries.just(""));
        Arbitrary<Integer> keeps = Arbitraries.integers().between(1, AttachJob.KEEP_MAX);
        return Arbitraries.oneOf(
                Combinators.combine(names, ids, steps(), keeps).as(AttachJob::new),
                Combinators.combine(names, ids).as(DetachJob::new),
                Combinators.combine(names, ids, names, namesOrNone).as(StartSession::new),
                Combinators.combine(
                                names,
                                ids,
                                namesOrNone,
                                names,
                                steps(),
                                RandomCommits.digests(),
                                Arbitraries.of(true, false))
                        .as(Checkpoint::new),
                Combinators.combine(names, ids, names).as(ReleaseCheckpoint::new));
    }

    static Arbitrary<Entry> others() {
        Arbitrary<String> reasons =
                Arbitraries.strings()
                        .withCharRange('\0', '\ud7ff')
                        .ofMinLength(1)
                        .ofMaxLength(Skip.REASON_BYTES_MAX)
                        .filter(text -> text.getBytes(UTF_8).length <= Skip.REASON_BYTES_MAX);
        return Arbitraries.oneOf(
                Combinators.combine(ranges(), reasons).as(Skip::new),
                ranges().map(Unskip::new),
                Combinators.combine(steps(), steps())
                        .as((a, b) -> new Sweep(Math.max(a, b), Math.min(a, b))),
                settings()
                        .list()
                        .uniqueElements(Setting::getClass)
                        .ofMinSize(1)
                        .ofMaxSize(4)
                        .map(Alter::new));
    }

    private static Arbitrary<Setting> settings() {
        Arbitrary<Long> numbers = Arbitraries.longs().greaterOrEqual(0);
        return Arbitraries.oneOf(
                Arbitraries.of(RetentionPolicy.class).map(Retention::new),
                numbers.map(KeepSteps::new),
                numbers.map(KeepFor::new),
                numbers.map(MaxLead::new));
    }

    static Arbitrary<StepRange> ranges() {
        return Combinators.combine(steps(), steps())
                .as((a, b) -> new StepRange(Math.min(a, b), Math.max(a, b)));
    }

    private static Arbitrary<Long> steps() {
        return Arbitraries.longs().between(0, Long.MAX_VALUE - 1);
    }
}
