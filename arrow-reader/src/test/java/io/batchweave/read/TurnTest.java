package io.batchweave.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.StepRange;
import io.batchweave.model.StepRanges;
import org.junit.jupiter.api.Test;

/** Which steps one of several readers takes. */
class TurnTest {
    @Test
    void stepsThatArePassedOverAreNobodysTurn() {
        Turn second = new Turn(1, 3);
        StepRanges passed = StepRanges.of(new StepRange(1, 2), new StepRange(6, 6));
        assertThat(second.first(0, passed)).isEqualTo(3);
        assertThat(second.after(3, passed)).isEqualTo(7);
    }

    @Test
    void noStepLiesBeyondTheLargestNumber() {
        Turn last = new Turn(2, 3);
        assertThat(last.first(Long.MAX_VALUE - 1, StepRanges.NONE)).isEqualTo(Long.MAX_VALUE);
        assertThat(last.after(Long.MAX_VALUE - 1, StepRanges.NONE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void moreThanCanTakeTurnsAreRefusedWithTheLimit() {
        assertThat(new Turn(4_095, 4_096).of()).isEqualTo(Turn.OF_MAX);
        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new Turn(0, Integer.MAX_VALUE))
                .withMessageContaining("at most 4096 workers");
    }
}
