package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceGridTest {
    @Test
    void slicesAreTheProductOfTheAxes() {
        assertThat(SliceGrid.parse("dp=8,cp=2,ep=3").slices()).isEqualTo(48);
        assertThat(SliceGrid.parse("dp=1").slices()).isEqualTo(1);
    }

    @Test
    void axesKeepTheirOrder() {
        SliceGrid grid = SliceGrid.parse("dp=8, cp=2");

        assertThat(grid.axes()).containsExactly(new Axis("dp", 8), new Axis("cp", 2));
        assertThat(grid).hasToString("dp=8,cp=2").isNotEqualTo(SliceGrid.parse("cp=2,dp=8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dp", "dp=", "=8", "dp=8,", ",dp=8", "dp=8=9", "dp=x", "dp=8;cp=2"})
    void whatIsNoGridIsAnsweredWithTheForm(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> SliceGrid.parse(text));
    }

    @Test
    void messageShowsTheFormOfAGrid() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceGrid.parse("dp\n8"))
                .withMessage(
                        "Invalid grid 'dp\\u000a8': write AXIS=SIZE[,AXIS=SIZE...], such as"
                                + " dp=8,cp=2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceGrid.parse("dp=99999999999"))
                .withMessageStartingWith("Invalid grid 'dp=99999999999': write AXIS=SIZE");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void axisWithoutSlicesIsRefused(int size) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Axis("dp", size))
                .withMessage("Invalid size " + size + " of axis dp: must be at least 1");
    }

    @Test
    void axisNeedsAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Axis("d.p", 1))
                .withMessageStartingWith("Invalid name of a grid axis 'd.p'");
    }

    @Test
    void gridWithoutAxesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SliceGrid(List.of()))
                .withMessage("Invalid grid: it needs at least one axis, such as dp=8");
    }

    @Test
    void axisNamedTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceGrid.parse("dp=2,dp=2"))
                .withMessage("Invalid grid: axis dp is named twice");
    }

    @Test
    void largestGridHas65536Slices() {
        assertThat(SliceGrid.parse("dp=65536").slices()).isEqualTo(SliceGrid.SLICES_MAX);
        assertThat(SliceGrid.parse("dp=256,cp=256,x=1").slices()).isEqualTo(65_536);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceGrid.parse("dp=65537"))
                .withMessage("Invalid grid dp=65537: more than 65536 slices");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dp=1000000000",
                "dp=2147483647,cp=2147483647",
                "a=65536,b=65536,c=65536,d=65536",
                "a=65536,b=65537",
            })
    void productOfTheAxesCannotOverflow(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SliceGrid.parse(text))
                .withMessageContaining("more than 65536 slices");
    }

    @Test
    void gridDoesNotChangeWithTheListItWasMadeOf() {
        List<Axis> axes = new ArrayList<>(List.of(new Axis("dp", 8)));
        SliceGrid grid = new SliceGrid(axes);
        axes.add(new Axis("cp", 2));

        assertThat(grid).isEqualTo(SliceGrid.parse("dp=8"));
    }
}
