package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Sets of steps are what a plain set of numbers is. */
class StepRangesTest {
    private static final long END = 40;

    @Provide
    Arbitrary<StepRange> ranges() {
        Arbitrary<Long> steps = Arbitraries.longs().between(0, END - 1);
        return Combinators.combine(steps, steps)
                .as((a, b) -> new StepRange(Math.min(a, b), Math.max(a, b)));
    }

    @Provide
    Arbitrary<List<StepRange>> lists() {
        return ranges().list().ofMaxSize(6);
    }

    private static NavigableSet<Long> plain(StepRanges steps) {
        NavigableSet<Long> plain = new TreeSet<>();
        steps.ranges().forEach(range -> addTo(plain, range));
        return plain;
    }

    private static NavigableSet<Long> plain(List<StepRange> ranges) {
        NavigableSet<Long> plain = new TreeSet<>();
        ranges.forEach(range -> addTo(plain, range));
        return plain;
    }

    private static void addTo(NavigableSet<Long> plain, StepRange range) {
        LongStream.rangeClosed(range.first(), range.last()).forEach(plain::add);
    }

    @Property(tries = 300)
    void rangesAreJoinedAndAscend(@ForAll("lists") List<StepRange> ranges) {
        StepRanges steps = new StepRanges(ranges);

        assertThat(plain(steps)).isEqualTo(plain(ranges));
        assertThat(steps.count()).isEqualTo(plain(ranges).size());
        assertThat(steps.isEmpty()).isEqualTo(ranges.isEmpty());
        for (int i = 1; i < steps.ranges().size(); i++) {
            assertThat(steps.ranges().get(i).first())
                    .isGreaterThan(steps.ranges().get(i - 1).last() + 1);
        }
    }

    @Property(tries = 300)
    void partsOfThemAreTheRightOnes(
            @ForAll("lists") List<StepRange> ranges,
            @ForAll("ranges") StepRange range,
            @ForAll @LongRange(max = END) long step) {
        StepRanges steps = new StepRanges(ranges);
        NavigableSet<Long> plain = plain(ranges);
        NavigableSet<Long> in = plain(List.of(range));

        assertThat(plain(steps.below(step))).isEqualTo(plain.headSet(step));
        assertThat(plain(steps.from(step))).isEqualTo(plain.tailSet(step));
        assertThat(steps.contains(step)).isEqualTo(plain.contains(step));
        NavigableSet<Long> within = new TreeSet<>(plain);
        within.retainAll(in);
        assertThat(plain(steps.within(range))).isEqualTo(within);
        NavigableSet<Long> without = new TreeSet<>(plain);
        without.removeAll(in);
        assertThat(plain(steps.without(range))).isEqualTo(without);
        NavigableSet<Long> both = new TreeSet<>(plain);
        both.addAll(in);
        assertThat(plain(steps.and(StepRanges.of(range)))).isEqualTo(both);
    }

    @Property(tries = 300)
    void nextOutsideIsTheFirstThatIsNotOneOfThem(
            @ForAll("lists") List<StepRange> ranges, @ForAll @LongRange(max = END) long step) {
        NavigableSet<Long> plain = plain(ranges);
        long expected = step;
        while (plain.contains(expected)) {
            expected++;
        }
        assertThat(new StepRanges(ranges).nextOutside(step)).isEqualTo(expected);
    }

    @Example
    void allBeforeAStepAreThoseFromTheFirstOn() {
        assertThat(StepRanges.before(0)).isEqualTo(StepRanges.NONE);
        assertThat(StepRanges.before(3)).isEqualTo(StepRanges.of(new StepRange(0, 2)));
    }

    @Example
    void stepsAreReadAndSaidInOneForm() {
        assertThat(StepRange.parse("100..120")).isEqualTo(new StepRange(100, 120));
        assertThat(StepRange.parse("7")).isEqualTo(new StepRange(7, 7)).hasToString("7");
        assertThat(StepRanges.of(new StepRange(9, 9), new StepRange(1, 3))).hasToString("1..3, 9");
        for (String bad : List.of("", "a", "1..", "..2", "1...2", "-1", "1..2..3")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> StepRange.parse(bad))
                    .withMessageStartingWith("Invalid steps '" + bad + "': write FIRST..LAST");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StepRange.parse("3..2"))
                .withMessageContaining("the last is not before the first");
    }
}
