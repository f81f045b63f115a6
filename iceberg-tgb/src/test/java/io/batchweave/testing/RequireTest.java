package io.batchweave.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class RequireTest {
    private static final String WHY = "nothing is missing here, this is RequireTest";

    @Test
    void whatIsThereLetsTheTestRun() {
        assertThatCode(() -> Require.that(true, WHY, "true")).doesNotThrowAnyException();
    }

    @Test
    void whatIsMissingSkipsTheTestAndSaysWhatToInstall() {
        assertThatThrownBy(() -> Require.that(false, WHY, "false"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage(WHY);
    }

    @Test
    void underCiWhatIsMissingFailsTheTest() {
        assertThatThrownBy(() -> Require.that(false, WHY, "true"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(WHY);
    }
}
