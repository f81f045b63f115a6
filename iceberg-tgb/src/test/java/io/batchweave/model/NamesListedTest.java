package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesListedTest {
    @Test
    void aFewNamesAreListedWhole() {
        assertThat(Names.few(List.of("a", "b"))).isEqualTo("a, b");
        assertThat(Names.few(Collections.nCopies(10, "a"))).doesNotContain("more");
    }

    @Test
    void ofManyNamesTheFirstAreListedAndTheOthersCounted() {
        assertThat(Names.few(Collections.nCopies(1_000, "a")))
                .isEqualTo("a, a, a, a, a, a, a, a, a, a and 990 more");
    }
}
