package io.batchweave.sidecar;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings of sidecars in tests. */
record ServedSettings(Path folder) {
    static final String TOKEN = "secret-token";

    SidecarSettings with(long memoryBytes) {
        return new SidecarSettings(
                folder,
                Optional.empty(),
                Optional.of(memoryBytes),
                Duration.ZERO,
                SidecarSettings.Sharing.USER,
                Optional.of(0),
                Optional.of(
                        new FlightSettings("127.0.0.1", 0, Optional.of(TOKEN), Optional.empty())),
                4,
                Duration.ofSeconds(2));
    }
}
