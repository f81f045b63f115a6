package io.batchweave.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.log.Log;
import io.batchweave.log.LogLimits;
import io.batchweave.model.DatasetName;
import io.batchweave.store.ObjectStore;
import io.batchweave.store.Probe;
import io.batchweave.store.ProbeReport;
import io.batchweave.store.ProbeReport.Check;
import io.batchweave.store.ProbeReport.Use;
import io.batchweave.store.s3.S3Settings;
import io.batchweave.testing.Numbers;
import io.batchweave.world.World;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server that ignores conditions, found out before anything is lost on it. */
@Timeout(300)
@Tag("STORE-3")
class BrokenServerIT {
    private static final World WORLD = World.real();

    @TempDir private Path folder;

    @Test
    void noDatasetIsMadeOnIt() throws Exception {
        try (S3rver server = S3rver.start(folder);
                ObjectStore store =
                        server.access().open("s3://" + S3Proxy.BUCKET, WORLD, S3Settings.DEFAULT)) {
            ProbeReport report = Probe.of(store, "probe", new Probe.Effort(2, 2));
            assertThat(report.broken(Use.WRITE))
                    .map(ProbeReport.Finding::check)
                    .contains(Check.CREATE);

            assertThatThrownBy(
                            () ->
                                    Log.create(
                                            store,
                                            DatasetName.parse("train.numbers"),
                                            Numbers.dataset("dp=1"),
                                            WORLD,
                                            LogLimits.DEFAULT))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("that a create of a key that exists is refused");
            assertThat(store.list("", "").folders()).doesNotContain("train");
        }
    }
}
