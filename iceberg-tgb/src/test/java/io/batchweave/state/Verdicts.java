package io.batchweave.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.state.Verdict.Accepted;
import io.batchweave.state.Verdict.Ignored;
import io.batchweave.state.Verdict.Published;
import io.batchweave.state.Verdict.Reason;
import java.util.List;

/** Assertions on what became of entries. */
final class Verdicts {
    private Verdicts() {}

    static void assertAccepted(List<Verdict> verdicts) {
        assertThat(verdicts).isNotEmpty().allMatch(Accepted.class::isInstance);
    }

    static void assertPublished(List<Verdict> verdicts, long... steps) {
        assertThat(verdicts).hasSize(steps.length);
        for (int i = 0; i < steps.length; i++) {
            assertThat(verdicts.get(i)).isEqualTo(new Published(steps[i]));
        }
    }

    /** One entry was without effect, for this reason, told in these words. */
    static void assertIgnored(List<Verdict> verdicts, Reason reason, String why) {
        assertThat(verdicts).containsExactly(new Ignored(reason, why));
    }

    static void assertReasons(List<Verdict> verdicts, Reason... reasons) {
        assertThat(verdicts)
                .extracting(verdict -> verdict instanceof Ignored i ? i.reason() : null)
                .containsExactly(reasons);
    }
}
