package io.batchweave.sidecar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.errors.UnavailableException;
import io.batchweave.world.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sidecars that cannot start say why, and harm nothing. */
class SidecarStartTest {
    @TempDir private Path folder;
    private Path control;

    @BeforeEach
    void nameFolder() {
        control = folder.resolve("control");
    }

    private static void start(SidecarSettings settings) {
        Sidecar.start(World.real(), settings, new Identity("1", 7)).orElseThrow().close();
    }

    private SidecarSettings at(Optional<Path> socket, Optional<Integer> metricsPort) {
        return at(socket, metricsPort, Optional.empty());
    }

    private SidecarSettings at(
            Optional<Path> socket, Optional<Integer> metricsPort, Optional<FlightSettings> flight) {
        return new SidecarSettings(
                control,
                socket,
                Optional.of(1L << 20),
                Duration.ZERO,
                SidecarSettings.Sharing.USER,
                metricsPort,
                flight,
                1,
                Duration.ofSeconds(1));
    }

    private static ThrowableAssertAlternative<InvalidRequestException> refused(
            SidecarSettings settings) {
        return assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> Sidecar.start(World.real(), settings, new Identity("1", 7)));
    }

    @Test
    void aFileThatIsNoSocketStays() throws IOException {
        Path file = Files.writeString(folder.resolve("thesis.txt"), "years of work");
        refused(at(Optional.of(file), Optional.empty())).withMessageContaining("is no socket");
        assertThat(file).hasContent("years of work");
    }

    @Test
    void theSocketOfAnotherSidecarStays() throws IOException {
        Path socket = folder.resolve("theirs.sock");
        try (ServerSocketChannel theirs = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            theirs.bind(UnixDomainSocketAddress.of(socket));
            refused(at(Optional.of(socket), Optional.empty()))
                    .withMessageContaining("another process does");
        }
        assertThat(socket).exists();
    }

    @Test
    void theSocketOfOneThatWasKilledIsReplaced() throws IOException {
        Path socket = folder.resolve("left.sock");
        try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(socket));
        }
        Sidecar.start(World.real(), at(Optional.of(socket), Optional.empty()), new Identity("1", 7))
                .orElseThrow()
                .close();
        assertThat(socket).doesNotExist();
    }

    @Test
    void trainersThatStandElsewhereFindTheFolderOfARelativeOne() {
        assertThat(SidecarSettings.userFolder(Path.of("shm"))).isAbsolute();
    }

    @Test
    void aFolderInMemoryThatDoesNotExistIsToldInWords() {
        Path nowhere = folder.resolve("nowhere");
        control = nowhere.resolve("control");
        refused(at(Optional.empty(), Optional.empty()))
                .withMessage(
                        "Cannot use folder %s for the sidecar: %s does not exist; choose another --shm-dir",
                        control, nowhere);
    }

    @Test
    void aSocketInAFolderThatDoesNotExistIsToldInWords() {
        Path socket = folder.resolve("nowhere/s.sock");
        assertThatExceptionOfType(UnavailableException.class)
                .isThrownBy(
                        () ->
                                Sidecar.start(
                                        World.real(),
                                        at(Optional.of(socket), Optional.empty()),
                                        new Identity("1", 7)))
                .withMessage(
                        "Cannot listen at %s: No such file or directory; choose another --shm-dir or --socket",
                        socket);
        start(at(Optional.empty(), Optional.empty()));
    }

    @Test
    void aPathTooLongForASocketIsRefusedWithItsLimit() {
        control = folder.resolve("x".repeat(100));
        refused(at(Optional.empty(), Optional.empty())).withMessageContaining("at most 107 bytes");
        assertThat(control).doesNotExist();
    }

    @Test
    void aStartWithoutFlightLeavesThePortOfItsMetrics() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        int free;
        try (ServerSocket closed = new ServerSocket(0, 1, here)) {
            free = closed.getLocalPort();
        }
        try (ServerSocket taken = new ServerSocket(0, 1, here)) {
            FlightSettings flight =
                    new FlightSettings(
                            here.getHostAddress(),
                            taken.getLocalPort(),
                            Optional.empty(),
                            Optional.empty());
            refused(at(Optional.empty(), Optional.of(free), Optional.of(flight)))
                    .withMessageStartingWith("Cannot serve Arrow Flight on ");
        }
        start(at(Optional.empty(), Optional.of(free)));
    }

    @Test
    void aStartThatFailsLeavesNothingAndCanBeRepeated() {
        SidecarSettings wrong = at(Optional.empty(), Optional.of(99_999));
        refused(wrong).withMessageStartingWith("Cannot serve metrics on port 99999: ");
        assertThat(control.resolve("arena-7")).doesNotExist();
        assertThat(wrong.socketPath()).doesNotExist();
        Sidecar.start(World.real(), at(Optional.empty(), Optional.empty()), new Identity("1", 7))
                .orElseThrow()
                .close();
    }
}
