package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slices, the parts they lie in, and the global batch they make. */
class PayloadTest {
    private static final Bytes DIGEST = Bytes.copyOf(new byte[Bytes.SHA256_BYTES]);

    @ParameterizedTest
    @CsvSource({
        "-1, 1, 1",
        "70368744177665, 1, 1",
        "9223372036854775807, 1, 1",
        "0, 0, 1",
        "0, -1, 1",
        "0, 1073741825, 1",
        "0, 1, -1",
        "0, 1, 2147483648",
    })
    void sliceOutOfBoundsIsRefused(long offset, long length, long rows) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Slice(offset, length, rows, 0))
                .withMessageStartingWith("Invalid slice: offset " + offset + ", length " + length);
    }

    @Test
    void sliceMayHaveNoRowsOrAGibibyte() {
        assertThat(new Slice(0, 1, 0, 0).rows()).isZero();
        assertThat(new Slice(0, 1L << 30, Integer.MAX_VALUE, -1).length())
                .isEqualTo(Slice.LENGTH_MAX);
        assertThat(new Slice(Part.LENGTH_MAX, 1, 0, 0).end()).isEqualTo(Part.LENGTH_MAX + 1);
    }

    @Test
    void slicesMayTouchAndMayLeaveRoom() {
        Part part = part(100, slice(8, 10), slice(18, 2), slice(64, 36));

        assertThat(part.slices()).hasSize(3);
    }

    @Test
    void slicesThatOverlapAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part(100, slice(8, 10), slice(17, 2)))
                .withMessage("Invalid part: slices overlap at byte 17");
    }

    @Test
    void slicesOutOfOrderAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part(100, slice(64, 10), slice(0, 10)))
                .withMessage("Invalid part: slices overlap at byte 0");
    }

    @Test
    void sliceBeyondTheObjectIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part(99, slice(64, 36)))
                .withMessageStartingWith("Invalid part: slices end at byte 100 of an object of 99");
        assertThatIllegalArgumentException().isThrownBy(() -> part(-1, slice(0, 1)));
    }

    @Test
    void partHasALargestLength() {
        assertThat(part(Part.LENGTH_MAX, slice(0, 1)).length()).isEqualTo(Part.LENGTH_MAX);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part(Part.LENGTH_MAX + 1, slice(0, 1)))
                .withMessageStartingWith("Invalid part: ");
    }

    @Test
    void partNeedsASliceAndASha256() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> part(100))
                .withMessage("Invalid part: it holds no slice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Part(1, Bytes.fromHex("00"), List.of(slice(0, 1))))
                .withMessage("Invalid part: a digest of 1 bytes");
    }

    @Test
    void batchAddsUpItsParts() {
        GlobalBatch batch =
                batch(
                        part(100, new Slice(0, 10, 5, 0), new Slice(10, 20, 0, 0)),
                        part(50, new Slice(0, 50, 7, 0)));

        assertThat(batch.slices()).isEqualTo(3);
        assertThat(batch.rows()).isEqualTo(12);
        assertThat(batch.bytes()).isEqualTo(150);
    }

    @Test
    void sumsOfTheLargestBatchDoNotOverflow() {
        Part largest = part(Part.LENGTH_MAX, new Slice(0, 1, Slice.ROWS_MAX, 0));
        GlobalBatch batch =
                new GlobalBatch(0, Collections.nCopies(SliceGrid.SLICES_MAX, largest), List.of());

        assertThat(batch.rows()).isEqualTo(65_536L * Integer.MAX_VALUE);
        assertThat(batch.bytes()).isEqualTo(1L << 62);
    }

    @Test
    void batchNeedsAPart() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> batch())
                .withMessage("Invalid global batch: it has no part");
    }

    @Test
    void countsAreSortedSoThatEqualBatchesAreEqual() {
        Part part = part(1, slice(0, 1));
        Count tokens = new Count("tokens", 7);
        Count images = new Count("images", 2);
        GlobalBatch one = new GlobalBatch(0, List.of(part), List.of(tokens, images));
        GlobalBatch other = new GlobalBatch(0, List.of(part), List.of(images, tokens));

        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.counts()).containsExactly(images, tokens);
    }

    @Test
    void countNamedTwiceIsRefused() {
        Part part = part(1, slice(0, 1));
        List<Count> counts = List.of(new Count("tokens", 7), new Count("tokens", 8));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GlobalBatch(0, List.of(part), counts))
                .withMessage("Invalid global batch: count tokens is named twice");
    }

    @Test
    void countIsNamedAndNotNegative() {
        assertThat(new Count("tokens.en", 0).value()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Count("tokens", -1))
                .withMessage("Invalid count tokens: -1 is negative");
        assertThatIllegalArgumentException().isThrownBy(() -> new Count("a/b", 1));
    }

    @Test
    void valuesDoNotChangeWithTheListsTheyWereMadeOf() {
        List<Slice> slices = new ArrayList<>(List.of(slice(0, 1)));
        Part part = new Part(10, DIGEST, slices);
        List<Part> parts = new ArrayList<>(List.of(part));
        GlobalBatch batch = new GlobalBatch(0, parts, List.of());
        slices.add(slice(1, 1));
        parts.add(part);

        assertThat(part).isEqualTo(part(10, slice(0, 1)));
        assertThat(batch).isEqualTo(batch(part));
    }

    @Test
    void everyFieldOfASliceTellsItFromOthers() {
        Slice slice = new Slice(1, 2, 3, 4);
        List<Slice> others =
                List.of(
                        new Slice(0, 2, 3, 4),
                        new Slice(1, 1, 3, 4),
                        new Slice(1, 2, 2, 4),
                        new Slice(1, 2, 3, 3));

        assertThat(slice).isEqualTo(new Slice(1, 2, 3, 4)).isNotIn(others);
    }

    @Test
    void gridOfTheLargestSizeFitsOneBatch() {
        Slice[] slices =
                IntStream.range(0, SliceGrid.SLICES_MAX)
                        .mapToObj(i -> slice(i * 64L, 64))
                        .toArray(Slice[]::new);

        assertThat(batch(part(65_536L * 64, slices)).slices()).isEqualTo(SliceGrid.SLICES_MAX);
    }

    private static Slice slice(long offset, long length) {
        return new Slice(offset, length, 1, 0);
    }

    private static Part part(long length, Slice... slices) {
        return new Part(length, DIGEST, Arrays.asList(slices));
    }

    private static GlobalBatch batch(Part... parts) {
        return new GlobalBatch(0, Arrays.asList(parts), List.of());
    }
}
