package io.batchweave.catalog.register;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.UnavailableException;
import io.batchweave.store.Fault;
import io.batchweave.store.FaultPlan;
import io.batchweave.store.FaultPlan.Kind;
import io.batchweave.store.FaultyStore;
import io.batchweave.store.MemoryStore;
import io.batchweave.world.HandClock;
import io.batchweave.world.World;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A text that is dropped, and what others do about it at that time. */
class DropTest {
    private static final String FOLDER = "ns/table/metadata";

    private final World world = new HandClock(Instant.EPOCH).world(7);
    private final MemoryStore store = new MemoryStore(world);
    private final FaultPlan.Script faults = new FaultPlan.Script();
    private final FaultyStore faulty = new FaultyStore(store, faults);
    private final Register ours = new Register(faulty, world, FOLDER);
    private final Register theirs = new Register(store, world, FOLDER);

    private static Version made(Change change) {
        assertThat(change).isInstanceOf(Change.Made.class);
        return ((Change.Made) change).version();
    }

    private List<String> names() {
        return store.list(FOLDER, "").objects().stream()
                .map(item -> item.key().substring(FOLDER.length() + 1))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"NONE", "REQUEST_LOST", "ANSWER_LOST", "TWICE", "LATE"})
    void itIsDroppedByOneOfTwo(Fault fault) {
        made(ours.begin("{}"));
        faults.next(Kind.CREATE, fault);

        assertThat(ours.drop()).isTrue();
        assertThat(theirs.drop()).isFalse();
        faulty.applyLate();

        assertThat(theirs.exists()).isFalse();
        assertThat(theirs.current()).isEmpty();
        assertThat(theirs.dropped()).hasSize(1);
    }

    @Test
    void whetherItIsDroppedMayBeUnknown() {
        made(ours.begin("{}"));
        FaultyStore dumb =
                new FaultyStore(
                        store,
                        call -> call.kind() == Kind.CREATE ? Fault.REQUEST_LOST : Fault.NONE);

        assertThatThrownBy(() -> new Register(dumb, world, FOLDER).drop())
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("run the same again");
        assertThat(theirs.exists()).isTrue();
    }

    @Test
    void aChangeUponWhatWasDroppedIsLost() {
        Version base = made(ours.begin("{}"));
        theirs.drop();

        assertThat(ours.change(base, "{\"late\":1}")).isInstanceOf(Change.Lost.class);
        assertThat(theirs.exists()).isFalse();
    }

    @Test
    void aChangeUponWhatWasDroppedAndTidiedIsLost() {
        Version base = made(ours.begin("{}"));
        theirs.drop();
        theirs.tidyDropped();
        assertThat(names()).containsExactly("x2.metadata.json.dropped");

        assertThat(ours.change(base, "{\"late\":1}")).isInstanceOf(Change.Lost.class);
        assertThat(theirs.exists()).isFalse();
        assertThat(names()).containsExactly("x2.metadata.json.dropped");
    }

    @Test
    void aChangeUponAnEarlierLifeIsLost() {
        Version base = made(ours.begin("{}"));
        theirs.drop();
        theirs.tidyDropped();
        Version second = made(theirs.begin("{\"life\":2}"));
        theirs.tidy(1);
        assertThat(second.number()).isEqualTo(3);
        assertThat(names()).containsExactly("v3.metadata.json");

        assertThat(ours.change(base, "{\"late\":1}")).isInstanceOf(Change.Lost.class);
        assertThat(theirs.current().orElseThrow().text()).isEqualTo("{\"life\":2}");
        assertThat(names()).containsExactly("v3.metadata.json");
    }

    @Test
    void whoSleptBeforeTheFirstVersionDoesNotBringItBack() {
        // 1. We look, find nothing, and fall asleep before creating version 1.
        // 2. Others make version 1, drop it and tidy up.
        Register slow =
                new Register(
                        new Meanwhile(
                                store,
                                () -> {
                                    made(theirs.begin("{}"));
                                    theirs.drop();
                                    theirs.tidyDropped();
                                },
                                "LIST"),
                        world,
                        FOLDER);
        // 3. We create version 1, which is done.
        assertThat(slow.begin("{\"reborn\":1}")).isInstanceOf(Change.Lost.class);

        assertThat(theirs.exists()).isFalse();
        assertThat(names()).containsExactly("x2.metadata.json.dropped");
    }

    @Test
    void aDropTakesAlongTheChangeThatItOvertook() {
        Version base = made(ours.begin("{}"));
        Register slow =
                new Register(
                        new Meanwhile(
                                store,
                                () ->
                                        assertThat(made(theirs.change(base, "{\"c\":1}")))
                                                .isNotNull(),
                                "LIST"),
                        world,
                        FOLDER);

        assertThat(slow.drop()).isTrue();

        assertThat(theirs.exists()).isFalse();
        assertThat(theirs.dropped()).extracting(Version::text).containsExactly("{}", "{\"c\":1}");
    }

    @Test
    void aDropThatTwoChangesOvertookDropsTheSecond() {
        Version base = made(ours.begin("{}"));
        Register slow =
                new Register(
                        new Meanwhile(
                                store,
                                () -> {
                                    Version next = made(theirs.change(base, "{\"c\":1}"));
                                    made(theirs.change(next, "{\"c\":2}"));
                                },
                                "LIST"),
                        world,
                        FOLDER);

        assertThat(slow.drop()).isTrue();

        assertThat(theirs.exists()).isFalse();
        assertThat(theirs.dropped()).extracting(Version::text).containsExactly("{\"c\":2}");
    }

    @Test
    void tidyingUpLeavesTheLastVersionToTheEnd() {
        Version first = made(ours.begin("{}"));
        made(ours.change(first, "{\"c\":2}"));
        ours.drop();
        FaultyStore dying =
                new FaultyStore(
                        store,
                        new FaultPlan.Script()
                                .next(Kind.DELETE, Fault.NONE, Fault.NONE, Fault.NONE)
                                .next(Kind.DELETE, Fault.UNAVAILABLE));

        assertThatThrownBy(() -> new Register(dying, world, FOLDER).tidyDropped())
                .isInstanceOf(UnavailableException.class);
        assertThat(names()).containsExactly("v2.metadata.json", "x3.metadata.json.dropped");
        assertThat(theirs.exists()).isFalse();

        theirs.tidyDropped();
        assertThat(names()).containsExactly("x3.metadata.json.dropped");
    }
}
