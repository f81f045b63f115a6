package io.batchweave.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.launcher.Checkout.Run;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that lacks something is told what, in one line. */
class LauncherNeedsTest {
    @TempDir private Path folder;
    private Checkout checkout;

    @BeforeEach
    void checkOut() throws Exception {
        checkout = Checkout.in(folder.toRealPath());
    }

    @Test
    void missingJava() throws Exception {
        checkout.remove("java");

        assertRefused(
                checkout.run(), "there is no Java; install a JDK 17 or newer, or set JAVA_HOME");
    }

    @Test
    void wrongJavaHome() throws Exception {
        Map<String, String> home = Map.of("JAVA_HOME", "/nowhere");

        assertRefused(
                Checkout.finish(checkout.start(checkout.file("batchweave"), folder, home)),
                "JAVA_HOME is /nowhere, which has no bin/java; set it to a JDK 17 or newer");
    }

    @Test
    void oldJava() throws Exception {
        checkout.install("1.8.0_402");

        assertRefused(checkout.run(), "is Java 1.8.0_402; install a JDK 17 or newer");
    }

    @Test
    void newerJava() throws Exception {
        checkout.install("25.0.1");

        assertThat(checkout.run().out()).contains("--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void missingMaven() throws Exception {
        checkout.remove("mvn");

        assertRefused(
                checkout.run(),
                "it must be built first, and there is no Maven; install Maven 3.8 or newer");
    }

    @Test
    void builtCommandNeedsNoMaven() throws Exception {
        checkout.run();
        checkout.remove("mvn");

        assertThat(checkout.run().code()).isZero();
    }

    private static void assertRefused(Run run, String why) {
        assertThat(run.code()).isEqualTo(70);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).startsWith("Cannot start batchweave: ").contains(why);
    }
}
