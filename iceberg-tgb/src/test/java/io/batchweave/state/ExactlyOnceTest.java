package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.GlobalBatch;
import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Published;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/**
 * Whatever lands in a log, in whatever order and however often: every claim counts at most once,
 * and what counts has no gap.
 */
@Tag("LOG-4")
@Tag("LOG-6")
class ExactlyOnceTest {
    private static final List<String> PRODUCERS = List.of("p", "q", "r");

    @Property(tries = 500)
    void everyClaimCountsAtMostOnceAndWithoutAGap(@ForAll Random random, @ForAll boolean declared) {
        History history = declared ? History.of("p", "q") : History.of();
        Book book = new Book(declared);
        for (int i = 0; i < 60; i++) {
            Entry[] entries = someEntries(history, random);
            List<Verdict> verdicts = history.apply(entries);
            for (int e = 0; e < entries.length; e++) {
                book.enter(history.state().version(), entries[e], verdicts.get(e));
            }
        }
        book.check(history.state());
        assertThat(ApplyTest.replay(history.commits())).isEqualTo(history.state());
    }

    /** A commit that is in, offered again at once or at any later time, changes nothing. */
    @Property(tries = 300)
    void copiesOfEarlierCommitsPublishNothing(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 20) int copies) {
        History history = History.of();
        for (int i = 0; i < 30; i++) {
            history.apply(someEntries(history, random));
        }
        State before = history.state();
        List<Entry> said = history.commits().stream().flatMap(c -> c.entries().stream()).toList();
        List<Entry> published =
                said.stream().filter(e -> e instanceof Publish || e instanceof Finish).toList();
        Set<Claim> in = claims(before);

        for (int i = 0; i < copies && !published.isEmpty(); i++) {
            Entry copy = published.get(random.nextInt(published.size()));
            if (copy instanceof Publish publish && in.contains(publish.claim())) {
                assertThat(history.apply(copy)).noneMatch(Published.class::isInstance);
            }
        }

        assertThat(history.state().steps()).isEqualTo(before.steps());
        assertThat(history.state().receipt()).isEqualTo(before.receipt());
        assertThat(history.state().producers()).isEqualTo(before.producers());
    }

    /** Entries of producers alive, fenced, late, early and made up; often what comes next. */
    private static Entry[] someEntries(History history, Random random) {
        if (random.nextInt(4) == 0) {
            List<Commit> commits = history.commits();
            return commits.get(random.nextInt(commits.size())).entries().toArray(Entry[]::new);
        }
        Entry[] entries = new Entry[1 + random.nextInt(4)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = someEntry(history.state(), i, random);
        }
        return entries;
    }

    private static Entry someEntry(State state, int before, Random random) {
        String producer = PRODUCERS.get(random.nextInt(PRODUCERS.size()));
        ProducerState known = state.producer(producer).orElse(null);
        if (known == null || random.nextInt(8) == 0) {
            return Entries.opening(producer, random.nextInt(30));
        }
        long epoch =
                random.nextInt(4) > 0 ? known.epoch() : random.nextInt(1 + (int) state.version());
        long ahead = random.nextInt(3) > 0 ? random.nextInt(before + 1) : random.nextInt(7) - 3;
        Claim claim = new Claim(producer, epoch, Math.max(0, known.nextSequence() + ahead));
        return switch (random.nextInt(40)) {
            case 0, 1 -> new Finish(claim, Entries.progress(claim));
            case 2 -> Entries.sealIfAllFinished();
            case 3 -> new Publish(claim, Entries.PROGRESS, Entries.batch(1, 1));
            case 4 ->
                    new Publish(
                            claim,
                            Entries.PROGRESS,
                            new GlobalBatch(1, List.of(Entries.part(1, 2)), List.of()));
            default -> Entries.publish(claim);
        };
    }

    private static Set<Claim> claims(State state) {
        Set<Claim> claims = new HashSet<>();
        state.steps().recent().forEach(step -> claims.add(step.claim()));
        return claims;
    }

    /** Keeps the rules in the plainest way there is: by writing down all that was accepted. */
    private static final class Book {
        private final boolean declared;
        private final Map<String, List<Long>> openings = new HashMap<>();
        private final Map<String, List<Claim>> claims = new HashMap<>();
        private final Set<String> finished = new HashSet<>();
        private final List<Publish> published = new ArrayList<>();
        private boolean sealed;

        Book(boolean declared) {
            this.declared = declared;
        }

        void enter(long version, Entry entry, Verdict verdict) {
            boolean counts = verdict instanceof Accepted || verdict instanceof Published;
            if (counts) {
                assertThat(sealed).as("sealed before %s", entry).isFalse();
            }
            if (entry instanceof OpenProducer opening && counts) {
                assertThat(declared && opening.producer().equals("r")).isFalse();
                List<Long> epochs = epochs(opening.producer());
                assertThat(epochs).as("epochs of %s", opening).allMatch(epoch -> epoch < version);
                epochs.add(version);
                finished.remove(opening.producer());
            } else if (entry instanceof Publish publish) {
                boolean fits = publish.batch().schemaId() == 0 && publish.batch().slices() == 2;
                assertThat(counts).as("%s", entry).isEqualTo(fits && isNext(publish.claim()));
                if (counts) {
                    assertThat(verdict).isEqualTo(new Published(published.size()));
                    published.add(publish);
                    claims(publish.claim().producer()).add(publish.claim());
                }
            } else if (entry instanceof Finish finish) {
                assertThat(counts).as("%s", entry).isEqualTo(isNext(finish.claim()));
                if (counts) {
                    finished.add(finish.claim().producer());
                    claims(finish.claim().producer()).add(finish.claim());
                    sealed = declared && finished.containsAll(List.of("p", "q"));
                }
            } else if (entry instanceof Entry.Seal && counts) {
                assertThat(finished).containsAll(openings.keySet());
                sealed = true;
            }
        }

        private boolean isNext(Claim claim) {
            List<Long> epochs = epochs(claim.producer());
            return !sealed
                    && !finished.contains(claim.producer())
                    && !epochs.isEmpty()
                    && epochs.get(epochs.size() - 1) == claim.epoch()
                    && claims(claim.producer()).size() == claim.sequence();
        }

        private List<Long> epochs(String producer) {
            return openings.computeIfAbsent(producer, name -> new ArrayList<>());
        }

        private List<Claim> claims(String producer) {
            return claims.computeIfAbsent(producer, name -> new ArrayList<>());
        }

        void check(State state) {
            assertThat(state.nextStep()).isEqualTo(published.size());
            for (int step = 0; step < published.size(); step++) {
                StepRecord record = state.step(step);
                assertThat(record.step()).isEqualTo(step);
                assertThat(record.claim()).isEqualTo(published.get(step).claim());
                assertThat(record.batch()).isEqualTo(published.get(step).batch());
                assertThat(record.receipt())
                        .isEqualTo(
                                Receipts.next(
                                        state.receiptBefore(step).orElseThrow(),
                                        step,
                                        record.batch()));
            }
            assertThat(state.steps().recent())
                    .isSortedAccordingTo(Comparator.comparingLong(StepRecord::version));
            for (String producer : claims.keySet()) {
                List<Claim> in = claims.get(producer);
                assertThat(in).isSortedAccordingTo(Comparator.comparingLong(Claim::epoch));
                for (int i = 0; i < in.size(); i++) {
                    assertThat(in.get(i).sequence()).isEqualTo(i);
                }
                assertThat(state.producer(producer).map(ProducerState::nextSequence))
                        .contains((long) in.size());
            }
            assertThat(state.phase() == State.Phase.SEALED).isEqualTo(sealed);
        }
    }
}
