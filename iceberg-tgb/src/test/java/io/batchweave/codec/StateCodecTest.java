package io.batchweave.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.CorruptException;
import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.Commit;
import io.batchweave.model.Entries;
import io.batchweave.model.Entry;
import io.batchweave.model.Entry.Alter;
import io.batchweave.model.Entry.AttachJob;
import io.batchweave.model.Entry.Checkpoint;
import io.batchweave.model.Entry.Skip;
import io.batchweave.model.Entry.StartSession;
import io.batchweave.model.Entry.Sweep;
import io.batchweave.model.RandomCommits;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.StepRange;
import io.batchweave.state.Applied;
import io.batchweave.state.History;
import io.batchweave.state.Segment;
import io.batchweave.state.State;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CODEC-6")
class StateCodecTest {
    private static final Bytes RECEIPT = Bytes.fromHex("ab".repeat(32));

    private final List<Segment> cut = new ArrayList<>();

    /** A State with something of everything. */
    private State state() {
        String job = Entries.id(9);
        State state = History.of().state();
        List<List<Entry>> commits = new ArrayList<>();
        commits.add(List.of(Entries.opening("p", 1), Entries.opening("q", 2)));
        commits.add(List.of(Entries.finish("q", 1, 0)));
        for (int sequence = 0; sequence < 5; sequence++) {
            commits.add(List.of(Entries.heavy(new Claim("p", 1, sequence))));
        }
        commits.add(
                List.of(
                        new AttachJob("gone", Entries.id(8), 0, 1),
                        new Entry.DetachJob("gone", Entries.id(8)),
                        new AttachJob("j", job, 2, 3),
                        new Skip(new StepRange(4, 6), "noise"),
                        new Alter(List.of(new KeepFor(7), new MaxLead(8)))));
        commits.add(List.of(new StartSession("j", job, "s1", "")));
        commits.add(List.of(new StartSession("j", job, "s2", "")));
        commits.add(List.of(new Checkpoint("j", job, "s2", "c1", 3, RECEIPT, false)));
        commits.add(List.of(new Sweep(1, 0), Entries.opening("p", 3)));
        commits.add(List.of(new Sweep(2, 1)));
        for (List<Entry> entries : commits) {
            Applied applied =
                    state.apply(
                            History.commit(
                                    state.version() + 1,
                                    History.START.plusSeconds(state.version()),
                                    entries.toArray(Entry[]::new)));
            assertThat(applied.loss()).isEmpty();
            cut.addAll(applied.cut());
            state = applied.state();
        }
        assertThat(cut).isNotEmpty();
        return state;
    }

    @Test
    void stateIsReadAsItWasWritten() {
        State state = state();
        ByteBuffer bytes = StateCodec.encode(state).orElseThrow();

        State read = StateCodec.decode(bytes, "s");
        assertThat(read).isEqualTo(state);
        assertThat(StateCodec.encode(read)).contains(bytes);
    }

    @Test
    void stateThatWasReadGoesOnLikeTheOneThatWasWritten() {
        State state = state();
        State read = StateCodec.decode(StateCodec.encode(state).orElseThrow(), "s");
        Commit next = History.commit(20, History.START, Entries.heavy(new Claim("p", 12, 5)));

        Applied applied = read.apply(next);
        assertThat(applied).isEqualTo(state.apply(next));
        assertThat(applied.loss()).isEmpty();
    }

    @Test
    void segmentIsReadAsItWasWritten() {
        State state = state();
        Bytes before = state.receiptBefore(0).orElseThrow();
        for (Segment segment : cut) {
            ByteBuffer bytes = SegmentCodec.encode(segment);
            assertThat(SegmentCodec.decode(bytes, "s")).isEqualTo(segment);
            assertThat(SegmentCodec.decode(bytes, "s", segment.ref(), before)).isEqualTo(segment);
            Bytes other = before;
            before = segment.ref().receipt();
            Bytes wrong = before;
            assertThat(other).isNotEqualTo(wrong);
            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(() -> SegmentCodec.decode(bytes, "s", segment.ref(), wrong))
                    .withMessageStartingWith("Cannot read s: ");
        }
    }

    @Test
    void anyDamageIsSeen() {
        byte[] bytes = StateCodec.encode(History.of().state()).orElseThrow().array();
        for (int at = 0; at < bytes.length; at++) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 4;
            assertThatExceptionOfType(CorruptException.class)
                    .isThrownBy(() -> StateCodec.decode(ByteBuffer.wrap(damaged), "s"));
        }
    }

    @Test
    void oneKindIsNotTakenForAnother() {
        ByteBuffer state = StateCodec.encode(History.of().state()).orElseThrow();
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> SegmentCodec.decode(state, "s"))
                .withMessage("Cannot read s: it does not hold one segment");
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> CommitCodec.decode(state, "s"))
                .withMessage("Cannot read s: it does not hold one commit");
        ByteBuffer commit = CommitCodec.encode(History.of().commits().get(0));
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> StateCodec.decode(commit, "s"))
                .withMessage("Cannot read s: it does not hold one State");
    }

    @Test
    void stateThatCannotBeIsRefused() {
        State state = History.of().state();
        State other =
                new State(
                        state.dataset(),
                        state.version(),
                        state.time(),
                        state.phase(),
                        RECEIPT,
                        state.saving(),
                        state.producers(),
                        state.steps(),
                        state.kept(),
                        state.settings(),
                        state.jobs(),
                        state.skips());
        ByteBuffer bytes = StateCodec.encode(other).orElseThrow();
        assertThatExceptionOfType(CorruptException.class)
                .isThrownBy(() -> StateCodec.decode(bytes, "s"))
                .withMessageStartingWith("Cannot read s: its receipt is ");
    }

    /** Whatever a log says, what it means can be saved. */
    @Property(tries = 200)
    void everyStateIsReadAsItWasWritten(@ForAll("commits") @Size(max = 12) List<Commit> commits) {
        State state = History.of().state();
        for (Commit commit : commits) {
            state = state.apply(commit).state();
        }
        ByteBuffer bytes = StateCodec.encode(state).orElseThrow();
        assertThat(StateCodec.decode(bytes, "s")).isEqualTo(state);
    }

    @Provide
    Arbitrary<List<Commit>> commits() {
        return Arbitraries.oneOf(RandomCommits.commits(), meaningful()).list();
    }

    private static Arbitrary<Commit> meaningful() {
        return Arbitraries.integers()
                .between(0, 5)
                .map(
                        n ->
                                History.commit(
                                        n,
                                        History.START,
                                        Entries.opening("p", n),
                                        Entries.publish("p", 1, n),
                                        Entries.publish("p", 2, n),
                                        new AttachJob("j" + n, Entries.id(n), n % 2, 2)));
    }
}
