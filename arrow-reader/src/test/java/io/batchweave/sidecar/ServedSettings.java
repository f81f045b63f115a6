package io.batchweave.sidecar;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings of sidecars in tests. */
record ServedSettings(Path folder) {
    SidecarSettings with(long memoryBytes) {
        return new SidecarSettings(
                folder,
                Optional.empty(),
                Optional.of(memoryBytes),
                Duration.ZERO,
                SidecarSettings.Sharing.USER,
                4,
                Duration.ofSeconds(2));
    }
}
