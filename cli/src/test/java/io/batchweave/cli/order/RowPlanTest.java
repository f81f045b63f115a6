package io.batchweave.cli.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The order of rows, as numbers. */
class RowPlanTest {
    /** Computed by another program, from the description of the package alone. */
    @Test
    void theOrderIsTheOneThatIsDescribed() {
        long[] stretches = {7, 0, 3, 6};
        RowOrder order = RowOrder.shuffled(2, 42, 4, 1, 1);

        assertThat(rows(order, stretches, 0))
                .containsExactly(
                        12L, 10L, 2L, 8L, 11L, 7L, 5L, 4L, 13L, 14L, 0L, 3L, 6L, 15L, 9L, 1L);
        assertThat(rows(order, stretches, 1))
                .containsExactly(
                        0L, 1L, 5L, 7L, 10L, 3L, 4L, 6L, 8L, 14L, 15L, 2L, 9L, 13L, 12L, 11L);
    }

    @Test
    void randomNumbersAreThoseOfSplitMix64() {
        SplitMix64 random = new SplitMix64();

        assertThat(List.of(random.next(), random.next(), random.next()))
                .containsExactly(0xE220A8397B1DCDAFL, 0x6E789E6AA1B965F4L, 0x06C45D188009454FL);
    }

    @Property
    void everyRowComesExactlyOnceAnEpoch(
            @ForAll @Size(max = 6) List<@LongRange(min = 0, max = 50) Long> stretches,
            @ForAll @IntRange(min = 0, max = 60) int window,
            @ForAll @IntRange(min = 1, max = 7) int parts,
            @ForAll long seed,
            @ForAll @IntRange(max = 5) int epoch) {
        long[] sizes = stretches.stream().mapToLong(Long::longValue).toArray();
        List<Long> all = new ArrayList<>();
        List<Integer> shares = new ArrayList<>();
        for (int part = 1; part <= parts; part++) {
            RowOrder order =
                    window == 0
                            ? RowOrder.inOrder(6, part, parts)
                            : RowOrder.shuffled(6, seed, window, part, parts);
            List<Long> rows = rows(order, sizes, epoch);
            all.addAll(rows);
            shares.add(rows.size());
        }

        long sum = LongStream.of(sizes).sum();
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, sum).boxed().toList());
        long windows =
                new RowPlan(
                                window == 0
                                        ? RowOrder.inOrder(1, 1, parts)
                                        : RowOrder.shuffled(1, 0, window, 1, parts),
                                sizes)
                        .windows();
        assertThat(shares)
                .allSatisfy(
                        share ->
                                assertThat((double) share)
                                        .isBetween(
                                                (double) sum / parts - windows,
                                                (double) sum / parts + windows));
    }

    @Property
    void windowsAreNoLargerThanAskedFor(
            @ForAll @Size(min = 1, max = 6)
                    List<@LongRange(min = 1, max = 1_000_000_000_000L) Long> stretches,
            @ForAll @IntRange(min = 1, max = 1_000_000) int window,
            @ForAll @IntRange(min = 1, max = 100) int parts) {
        long[] sizes = stretches.stream().mapToLong(Long::longValue).toArray();

        RowPlan plan = new RowPlan(RowOrder.shuffled(1, 7, window, 1, parts), sizes);

        assertThat(plan.windows() % parts).isZero();
        assertThat(plan.rows(0)).isLessThanOrEqualTo(window);
        assertThat(plan.rows(plan.windows() - 1)).isBetween(plan.rows(0) - 1, plan.rows(0));
        assertThat(plan.rows(plan.windows())).isZero();
    }

    @Test
    void inTheOrderOfTheInputsWindowsFollowEachOther() {
        RowOrder order = RowOrder.inOrder(2, 1, 1);

        assertThat(rows(order, new long[] {3, 70_000}, 1))
                .containsExactlyElementsOf(LongStream.range(0, 70_003).boxed().toList());
    }

    /** A row that may land anywhere is moved by a third of all rows, on average. */
    @Test
    void rowsAreMovedFarAndNeighboursParted() {
        long[] stretches = LongStream.generate(() -> 1_024).limit(100).toArray();
        List<Long> rows = rows(RowOrder.shuffled(1, 3, 16_384, 1, 1), stretches, 0);

        double moved = 0;
        int neighbours = 0;
        for (int at = 0; at < rows.size(); at++) {
            moved += Math.abs(rows.get(at) - at) / (double) rows.size() / rows.size();
            neighbours += at > 0 && rows.get(at) == rows.get(at - 1) + 1 ? 1 : 0;
        }

        assertThat(moved).isBetween(0.28, 0.39);
        assertThat(neighbours).isLessThan(20);
    }

    /** What is not in stretches is mixed all the same, among eight places and more. */
    @Test
    void oneLargeStretchIsCutIntoEightBlocks() {
        List<Long> rows = rows(RowOrder.shuffled(1, 3, 1_000, 1, 1), new long[] {1_000}, 0);
        RowPlan plan = new RowPlan(RowOrder.shuffled(1, 3, 1_000, 1, 1), new long[] {1_000});

        assertThat(rows).hasSize(1_000);
        assertThat(plan.spans(0, 0)).hasSize(8).allMatch(span -> span.rows() == 125);
        assertThat(plan.spans(0, 0)).isNotEqualTo(plan.spans(1, 0));
    }

    @Test
    void anotherSeedOrEpochIsAnotherOrder() {
        long[] stretches = {50, 50};

        assertThat(rows(RowOrder.shuffled(2, 1, 10, 1, 1), stretches, 0))
                .isNotEqualTo(rows(RowOrder.shuffled(2, 2, 10, 1, 1), stretches, 0))
                .isNotEqualTo(rows(RowOrder.shuffled(2, 1, 10, 1, 1), stretches, 1));
    }

    @Test
    void anotherOrderThanTheCommittedIsRefusedWithBothValues() {
        RowOrder order = RowOrder.shuffled(3, 7, 100, 2, 8);

        order.checkSame(order);
        assertRefused(
                order,
                RowOrder.shuffled(3, 8, 100, 2, 8),
                "--shuffle was 8 for what is committed and is 7 now");
        assertRefused(
                order, RowOrder.AS_GIVEN, "--shuffle was not given for what is committed and is 7");
        assertRefused(
                order,
                RowOrder.shuffled(3, 7, 99, 2, 8),
                "--shuffle-window was 99 for what is committed and is 100");
        assertRefused(
                order,
                RowOrder.shuffled(2, 7, 100, 2, 8),
                "--epochs was 2 for what is committed and is 3");
        assertRefused(
                order,
                RowOrder.shuffled(3, 7, 100, 2, 9),
                "--part was 2/9 for what is committed and is 2/8");
    }

    private static void assertRefused(RowOrder now, RowOrder committed, String why) {
        assertThatThrownBy(() -> now.checkSame(committed))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(why);
    }

    @Test
    void ordersThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> RowOrder.inOrder(0, 1, 1)).hasMessageContaining("1 epoch or more");
        assertThatThrownBy(() -> RowOrder.shuffled(1, 5, 0, 1, 1))
                .hasMessageContaining("windows of 0");
        assertThatThrownBy(() -> RowOrder.shuffled(1, 5, Mixing.WINDOW_MAX + 1, 1, 1))
                .hasMessageContaining("use 1 to");
        assertThatThrownBy(() -> RowOrder.inOrder(1, 0, 1)).hasMessageContaining("part 0/1");
        assertThatThrownBy(() -> RowOrder.inOrder(1, 3, 2)).hasMessageContaining("part 3/2");
    }

    /** The rows of a part, as numbers over all stretches, in the order of an epoch. */
    private static List<Long> rows(RowOrder order, long[] stretches, int epoch) {
        RowPlan plan = new RowPlan(order, stretches);
        List<Long> rows = new ArrayList<>();
        for (long window = order.part() - 1L; window < plan.windows(); window += order.parts()) {
            List<Long> inWindow = new ArrayList<>();
            for (Span span : plan.spans(epoch, window)) {
                long before = LongStream.of(stretches).limit(span.stretch()).sum() + span.from();
                LongStream.range(before, before + span.rows()).forEach(inWindow::add);
            }
            assertThat(inWindow).hasSize(plan.rows(window));
            if (order.isShuffled()) {
                for (int index : plan.permutation(epoch, window)) {
                    rows.add(inWindow.get(index));
                }
            } else {
                rows.addAll(inWindow);
            }
        }
        return rows;
    }
}
