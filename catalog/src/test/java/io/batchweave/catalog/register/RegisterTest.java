package io.batchweave.catalog.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.CorruptException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.Fetched;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lost answers, late creates, and numbers that come free again. */
class RegisterTest {
    private static final String FOLDER = "ns/table/metadata";

    private final World world = new HandClock(Instant.EPOCH).world(7);
    private final MemoryStore store = new MemoryStore(world);
    private final FaultPlan.Script faults = new FaultPlan.Script();
    private final FaultyStore faulty = new FaultyStore(store, faults);
    private final Register ours = new Register(faulty, world, FOLDER);
    private final Register theirs = new Register(store, world, FOLDER);

    private static String text(String value) {
        return "{\"value\":\"" + value + "\"}";
    }

    private static Version made(Change change) {
        assertThat(change).isInstanceOf(Change.Made.class);
        return ((Change.Made) change).version();
    }

    private Version changed(Register register, String value) {
        return made(register.change(register.current().orElseThrow(), text(value)));
    }

    private void changeOften(int times) {
        IntStream.range(0, times).forEach(i -> changed(theirs, "t" + i));
    }

    private List<String> names() {
        return store.list(FOLDER, "").objects().stream()
                .map(item -> item.key().substring(FOLDER.length() + 1))
                .toList();
    }

    private String currentText() {
        return theirs.current().orElseThrow().text();
    }

    @Test
    void versionsCountFromOne() {
        Version first = made(ours.begin(text("a")));
        Version second = made(ours.change(first, text("b")));

        assertThat(List.of(first.number(), second.number())).containsExactly(1L, 2L);
        assertThat(currentText()).isEqualTo(text("b"));
        assertThat(names()).containsExactly("v1.metadata.json", "v2.metadata.json");
    }

    @Test
    void theTextIsStoredBesideItsPast() {
        made(ours.begin(text("a")));

        Fetched.Found found = (Fetched.Found) store.read(FOLDER + "/v1.metadata.json", 1 << 20);
        assertThat(StandardCharsets.UTF_8.decode(found.body()).toString())
                .matches("\\{\"batchweave-changes\":\\[\"[0-9a-f-]{36}\"],\"value\":\"a\"}");
    }

    @Test
    void anEmptyTextIsKept() {
        made(ours.begin("{}"));

        assertThat(currentText()).isEqualTo("{}");
    }

    @Test
    void tenComesAfterNine() {
        made(ours.begin(text("a")));
        changeOften(11);

        assertThat(theirs.current().orElseThrow().number()).isEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"NONE", "REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void aChangeIsInOnceHoweverItsCreateComesOut(Fault fault) {
        made(ours.begin(text("a")));
        faults.next(Kind.CREATE, fault);

        Version second = changed(ours, "b");
        faulty.applyLate();

        assertThat(second.number()).isEqualTo(2);
        assertThat(currentText()).isEqualTo(text("b"));
        assertThat(names()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void aLookThatFailsAfterwardsIsMadeAgain(Fault fault) {
        made(ours.begin(text("a")));
        Version base = ours.current().orElseThrow();
        faults.next(Kind.CREATE, fault).next(Kind.LIST, Fault.UNAVAILABLE, Fault.UNAVAILABLE);

        assertThat(made(ours.change(base, text("b"))).number()).isEqualTo(2);
        assertThat(currentText()).isEqualTo(text("b"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"NONE", "REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void aChangeThatCameFirstIsALoss(Fault fault) {
        Version base = made(ours.begin(text("a")));
        changed(theirs, "theirs");
        faults.next(Kind.CREATE, fault);

        assertThat(ours.change(base, text("ours"))).isInstanceOf(Change.Lost.class);
        faulty.applyLate();

        assertThat(currentText()).isEqualTo(text("theirs"));
    }

    @Test
    void aChangeOfTheSameTextIsStillAnother() {
        Version base = made(ours.begin(text("a")));
        changed(theirs, "same");
        faults.next(Kind.CREATE, Fault.REQUEST_LOST);

        assertThat(ours.change(base, text("same"))).isInstanceOf(Change.Lost.class);
    }

    @Test
    void whatCertainlyFailedIsSaid() {
        Version base = made(ours.begin(text("a")));
        faults.next(Kind.CREATE, Fault.UNAVAILABLE);

        assertThatThrownBy(() -> ours.change(base, text("b")))
                .isInstanceOf(UnavailableException.class);
        assertThat(currentText()).isEqualTo(text("a"));
    }

    @Test
    void whatCannotBeLearnedIsUnknown() {
        Version base = made(ours.begin(text("a")));
        FaultyStore deaf =
                new FaultyStore(
                        store,
                        call -> call.kind() == Kind.CREATE ? Fault.ANSWER_LOST : Fault.UNAVAILABLE);

        assertThat(new Register(deaf, world, FOLDER).change(base, text("b")))
                .isInstanceOf(Change.Unknown.class);
        assertThat(currentText()).isEqualTo(text("b"));
    }

    @Test
    void aChangeIsInThoughOthersFollowedBeforeItsAnswer() {
        Version base = made(ours.begin(text("a")));
        Register slow = withMeanwhile(() -> changeOften(5), After.CREATE);

        assertThat(slow.change(base, text("b"))).isInstanceOf(Change.Made.class);
        assertThat(theirs.current().orElseThrow().number()).isEqualTo(7);
    }

    @Test
    void aChangeIsInThoughItsVersionIsTidiedAway() {
        Version base = made(ours.begin(text("a")));
        Register slow =
                withMeanwhile(
                        () -> {
                            changeOften(20);
                            theirs.tidy(1);
                        },
                        After.CREATE);

        assertThat(slow.change(base, text("b"))).isInstanceOf(Change.Made.class);
        assertThat(names()).doesNotContain("v2.metadata.json");
    }

    @Test
    void whoSleptDoesNotWinAVersionThatIsTidiedAway() {
        // 1. We look at version 1, and fall asleep before creating version 2.
        Version base = made(ours.begin(text("a")));
        // 2. Others make versions 2 to 21, and the old ones are deleted: v2 is free again.
        changeOften(20);
        theirs.tidy(1);
        assertThat(names()).containsExactly("v20.metadata.json", "v21.metadata.json");
        // 3. We create v2, which is done; it is in nobody's past.
        assertThat(ours.change(base, text("reborn"))).isInstanceOf(Change.Lost.class);

        assertThat(currentText()).isEqualTo(text("t19"));
        assertThat(names()).doesNotContain("v2.metadata.json");
    }

    @Test
    void afterAHundredChangesItCannotBeLearned() {
        Version base = made(ours.begin(text("a")));
        changeOften(Lineage.MAX + 1);
        theirs.tidy(1);

        assertThat(ours.change(base, text("reborn"))).isInstanceOf(Change.Unknown.class);
        assertThat(currentText()).isEqualTo(text("t100"));
    }

    @Test
    void aForeignVersionIsReadAndFollowed() {
        made(ours.begin(text("a")));
        store.create(FOLDER + "/v2.metadata.json", utf8(text("foreign")));

        assertThat(currentText()).isEqualTo(text("foreign"));
        assertThat(changed(ours, "b").number()).isEqualTo(3);
    }

    @Test
    void aForeignVersionInOurPlaceIsALoss() {
        Version base = made(ours.begin(text("a")));
        store.create(FOLDER + "/v2.metadata.json", utf8(text("foreign")));

        assertThat(ours.change(base, text("b"))).isInstanceOf(Change.Lost.class);
    }

    @Test
    void aPackedForeignVersionThatIsNotPackedIsCorrupt() {
        store.create(FOLDER + "/v1.gz.metadata.json", utf8(text("a")));

        assertThatThrownBy(theirs::current)
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("v1.gz.metadata.json");
    }

    @Test
    void readersMeetATidyingUp() {
        made(ours.begin(text("a")));
        Register slow =
                withMeanwhile(
                        () -> {
                            changeOften(3);
                            theirs.tidy(1);
                        },
                        After.LIST);

        assertThat(slow.current().orElseThrow().text()).isEqualTo(text("t2"));
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private enum After {
        CREATE,
        LIST
    }

    /** A register whose next such call returns only when other things have happened. */
    private Register withMeanwhile(Runnable others, After call) {
        return new Register(new Meanwhile(store, others, call.name()), world, FOLDER);
    }
}
