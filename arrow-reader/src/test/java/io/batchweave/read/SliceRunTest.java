package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.model.Bytes;
import io.batchweave.model.Claim;
import io.batchweave.model.GlobalBatch;
import io.batchweave.model.Part;
import io.batchweave.model.Slice;
import io.batchweave.state.StepRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.api.ListAssert;

class SliceRunTest {
    private static final Bytes DIGEST = Bytes.digestOf(Bytes.sha256());

    @Example
    void adjacentSlicesAreOneRun() {
        StepRecord step = step(part(10, 20, 30, 40));

        assertRuns(step, 0, 1, 2, 3).containsExactly("part 0: 0-100 from 0");
        assertRuns(step, 1, 2).containsExactly("part 0: 10-60 from 1");
        assertRuns(step, 0, 2, 3).containsExactly("part 0: 0-10 from 0", "part 0: 30-100 from 2");
    }

    @Example
    void aRunEndsWithItsPart() {
        StepRecord step = step(part(10, 20), part(30), part(40, 50));

        assertRuns(step, 0, 1, 2, 3, 4)
                .containsExactly(
                        "part 0: 0-30 from 0", "part 1: 0-30 from 2", "part 2: 0-90 from 3");
        assertRuns(step, 1, 3).containsExactly("part 0: 10-30 from 1", "part 2: 0-40 from 3");
        assertRuns(step, 4).containsExactly("part 2: 40-90 from 4");
    }

    /** Another writer may leave room between slices; nobody needs what lies there. */
    @Example
    void aRunEndsAtAGap() {
        Part part =
                new Part(
                        1_000,
                        DIGEST,
                        List.of(
                                new Slice(0, 64, 1, 0),
                                new Slice(64, 64, 1, 0),
                                new Slice(192, 64, 1, 0)));

        assertRuns(step(part), 0, 1, 2)
                .containsExactly("part 0: 0-128 from 0", "part 0: 192-256 from 2");
    }

    /** One buffer holds a run, and a buffer has at most 1 GiB. */
    @Example
    void aRunHasAtMostOneGibibyte() {
        int half = 1 << 29;
        StepRecord step = step(part(half, half, 64, Slice.LENGTH_MAX, 64));

        assertThat(SliceRun.of(step, List.of(0, 1, 2, 3, 4)))
                .extracting(SliceRun::length)
                .containsExactly(1L << 30, 64L, 1L << 30, 64L);
    }

    /** The runs hold exactly the slices that are asked for, and no two could be one. */
    @Property(tries = 500)
    void runsAreExactAndAsFewAsCanBe(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Part> parts = new ArrayList<>();
        for (int i = random.nextInt(1, 5); i > 0; i--) {
            parts.add(part(random.longs(random.nextInt(1, 9), 1, 100).toArray()));
        }
        StepRecord step = step(parts.toArray(new Part[0]));
        List<Slice> all = parts.stream().flatMap(part -> part.slices().stream()).toList();
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (random.nextBoolean()) {
                indexes.add(i);
            }
        }

        List<SliceRun> runs = SliceRun.of(step, indexes);

        List<Integer> found = new ArrayList<>();
        for (SliceRun run : runs) {
            long end = run.offset();
            for (int i = 0; i < run.slices().size(); i++) {
                Slice slice = run.slices().get(i);
                assertThat(slice).isSameAs(all.get(run.firstIndex() + i));
                assertThat(parts.get(run.part()).slices()).contains(slice);
                assertThat(slice.offset()).isEqualTo(end);
                end += slice.length();
                found.add(run.firstIndex() + i);
            }
            assertThat(run.length()).isEqualTo(end - run.offset());
        }
        assertThat(found).isEqualTo(indexes);
        for (int i = 1; i < runs.size(); i++) {
            SliceRun before = runs.get(i - 1);
            boolean adjacent =
                    before.part() == runs.get(i).part()
                            && before.offset() + before.length() == runs.get(i).offset();
            assertThat(adjacent).isFalse();
        }
    }

    private static ListAssert<String> assertRuns(StepRecord step, Integer... indexes) {
        return assertThat(
                SliceRun.of(step, List.of(indexes)).stream()
                        .map(
                                run ->
                                        "part %d: %d-%d from %d"
                                                .formatted(
                                                        run.part(),
                                                        run.offset(),
                                                        run.offset() + run.length(),
                                                        run.firstIndex()))
                        .toList());
    }

    /** A part whose slices have these lengths and lie side by side. */
    private static Part part(long... lengths) {
        List<Slice> slices = new ArrayList<>();
        long end = 0;
        for (long length : lengths) {
            slices.add(new Slice(end, length, 1, 0));
            end += length;
        }
        return new Part(end, DIGEST, slices);
    }

    private static StepRecord step(Part... parts) {
        return new StepRecord(
                0,
                1,
                Instant.EPOCH,
                new Claim("p", 1, 0),
                new GlobalBatch(0, List.of(parts), List.of()),
                DIGEST);
    }
}
