package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Axis;
import io.batchweave.model.SliceGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

class PlaceTest {
    private static final List<String> NAMES = List.of("dp", "cp", "x_1");
    private static final SliceGrid GRID = SliceGrid.parse("dp=4,cp=6");

    @Provide
    Arbitrary<SliceGrid> grids() {
        return Arbitraries.integers()
                .between(1, 12)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(
                        sizes ->
                                new SliceGrid(
                                        IntStream.range(0, sizes.size())
                                                .mapToObj(i -> new Axis(NAMES.get(i), sizes.get(i)))
                                                .toList()));
    }

    /** For every legal world size, each slice belongs to exactly one rank. */
    @Property(tries = 200)
    @Tag("READ-1")
    void ranksPartitionTheGrid(@ForAll("grids") SliceGrid grid) {
        for (List<Integer> world : worlds(grid.axes())) {
            int[] owners = new int[grid.slices()];
            int ranks = 0;
            for (List<Integer> rank : ranks(world)) {
                Place place = Place.parse(text(grid, rank, world), grid);
                assertThat(place.slices()).hasSize(grid.slices() / product(world)).isSorted();
                assertThat(place.isOn(grid)).isTrue();
                place.slices().forEach(slice -> owners[slice]++);
                ranks++;
            }
            assertThat(ranks).isEqualTo(product(world));
            assertThat(owners).containsOnly(1);
        }
    }

    /** Place r of W owns the indexes [r N / W, (r + 1) N / W) of its axis, on every axis. */
    @Property(tries = 200)
    @Tag("READ-1")
    void aRankOwnsItsRangeOfEveryAxis(@ForAll("grids") SliceGrid grid) {
        for (List<Integer> world : worlds(grid.axes())) {
            for (List<Integer> rank : ranks(world)) {
                List<Integer> expected =
                        IntStream.range(0, grid.slices())
                                .filter(slice -> owns(grid, rank, world, slice))
                                .boxed()
                                .toList();
                assertThat(Place.parse(text(grid, rank, world), grid).slices()).isEqualTo(expected);
            }
        }
    }

    @Example
    @Tag("READ-1")
    void slicesAreRowMajor() {
        assertThat(Place.parse("dp=1/2,cp=2/3", GRID).slices()).containsExactly(16, 17, 22, 23);
        assertThat(Place.parse("dp=3/4", GRID).slices()).containsExactly(18, 19, 20, 21, 22, 23);
        assertThat(Place.parse("cp=0/6", GRID).slices()).containsExactly(0, 6, 12, 18);
    }

    @Example
    @Tag("READ-1")
    void orderAndSpacesAreNoMatter() {
        assertThat(Place.parse(" cp = 2 / 3 , dp=1/2", GRID).slices())
                .isEqualTo(Place.parse("dp=1/2,cp=2/3", GRID).slices());
    }

    @Example
    void theWholeGridIsPlaceZeroOfOneEverywhere() {
        assertThat(Place.whole(GRID).slices())
                .isEqualTo(Place.parse("dp=0/1", GRID).slices())
                .hasSize(24);
    }

    @Example
    @Tag("READ-1")
    void anIllegalWorldSizeNamesTheLegalOnes() {
        assertRefused(
                "cp=0/4",
                "a world size of 4 does not divide axis cp=6; legal sizes are 1, 2, 3, 6");
        assertRefused("dp=0/8", "legal sizes are 1, 2, 4");
        assertRefused("dp=0/0", "a world size of 0 does not divide axis dp=4");
        assertRefused("dp=0/-2", "a world size of -2 does not divide axis dp=4");
    }

    @Example
    void aRankOutsideOfItsWorldIsRefused() {
        assertRefused("dp=4/4", "rank 4 is outside 0..3 of axis dp");
        assertRefused("dp=-1/4", "rank -1 is outside 0..3 of axis dp");
    }

    @Example
    void anAxisNamedTwiceIsRefused() {
        assertRefused("dp=0/2,cp=0/2,dp=1/2", "axis dp is named twice");
    }

    @Example
    void anUnknownAxisIsRefused() {
        assertRefused("tp=0/2", "the grid dp=4,cp=6 has no axis 'tp'");
        assertRefused("DP=0/2", "the grid dp=4,cp=6 has no axis 'DP'");
        assertRefused("=0/2", "the grid dp=4,cp=6 has no axis ''");
    }

    @Example
    void whatIsNoPlaceIsRefused() {
        for (String text :
                List.of(
                        "",
                        "dp",
                        "dp=1",
                        "dp/3/4",
                        "dp=1=4",
                        "dp/1=4",
                        "dp=1/2/4",
                        "dp=1/4,",
                        "dp=a/4",
                        "dp=1/4x",
                        "dp=1.0/4",
                        "dp=99999999999/4",
                        "dp=1/99999999999")) {
            assertRefused(text, "write AXIS=RANK/SIZE[,AXIS=RANK/SIZE...], such as dp=3/8,cp=0/2");
        }
    }

    @Example
    void textIsShownOnOneLine() {
        assertRefused("dp=1\n/4\u0007", "write AXIS=RANK/SIZE", "'dp=1\\u000a/4\\u0007'");
    }

    @Example
    void slicesOfAPlaceAscend() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Place("x", List.of(1, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Place("x", List.of(2, 1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Place("x", List.of(-1)));
    }

    private static void assertRefused(String text, String... why) {
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Place.parse(text, GRID))
                .withMessageStartingWith("Invalid place '")
                .withMessageContainingAll(why)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }

    private static boolean owns(
            SliceGrid grid, List<Integer> rank, List<Integer> world, int slice) {
        int rest = slice;
        for (int axis = grid.axes().size() - 1; axis >= 0; axis--) {
            int size = grid.axes().get(axis).size();
            int index = rest % size;
            rest /= size;
            int owned = size / world.get(axis);
            if (index < rank.get(axis) * owned || index >= (rank.get(axis) + 1) * owned) {
                return false;
            }
        }
        return true;
    }

    private static String text(SliceGrid grid, List<Integer> rank, List<Integer> world) {
        return String.join(
                ",",
                IntStream.range(0, world.size())
                        .mapToObj(
                                i ->
                                        grid.axes().get(i).name()
                                                + "="
                                                + rank.get(i)
                                                + "/"
                                                + world.get(i))
                        .toList());
    }

    /** Every legal size of each axis with every one of the others. */
    private static List<List<Integer>> worlds(List<Axis> axes) {
        List<List<Integer>> worlds = List.of(List.of());
        for (Axis axis : axes) {
            int[] legal =
                    IntStream.rangeClosed(1, axis.size())
                            .filter(size -> axis.size() % size == 0)
                            .toArray();
            worlds = times(worlds, legal);
        }
        return worlds;
    }

    private static List<List<Integer>> ranks(List<Integer> world) {
        List<List<Integer>> ranks = List.of(List.of());
        for (int size : world) {
            ranks = times(ranks, IntStream.range(0, size).toArray());
        }
        return ranks;
    }

    private static List<List<Integer>> times(List<List<Integer>> tuples, int[] values) {
        List<List<Integer>> longer = new ArrayList<>();
        for (List<Integer> tuple : tuples) {
            for (int value : values) {
                List<Integer> next = new ArrayList<>(tuple);
                next.add(value);
                longer.add(next);
            }
        }
        return longer;
    }

    private static int product(List<Integer> world) {
        return world.stream().reduce(1, Math::multiplyExact);
    }
}
