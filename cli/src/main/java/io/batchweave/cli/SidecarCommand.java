package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.sidecar.FlightSettings;
import io.batchweave.sidecar.Identity;
import io.batchweave.sidecar.Sidecar;
import io.batchweave.sidecar.SidecarSettings;
import io.batchweave.sidecar.SidecarSettings.Sharing;
import io.batchweave.sidecar.arena.Why;
import io.batchweave.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves the trainer processes of this node. */
@Command(
        name = "sidecar",
        mixinStandardHelpOptions = true,
        description = {
            "Serve the trainer processes of this node: fetch each slice once, check it, and hand it over"
                    + " in shared memory.",
            "Trainers start one themselves where none runs; as a service, give it --idle 0s. Containers"
                    + " have 64 MiB of shared memory unless told otherwise (docker: --shm-size)."
        })
final class SidecarCommand implements Callable<Integer>, Interruptible {
    private static final Pattern HOST_PORT = Pattern.compile("(.+):(\\d{1,5})");

    @Spec private CommandSpec command;

    @Option(
            names = "--shm-dir",
            paramLabel = "FOLDER",
            defaultValue = "/dev/shm",
            description =
                    "A file system in memory, in which it makes its folder. Default: ${DEFAULT-VALUE}")
    private Path shmDir;

    @Option(
            names = "--socket",
            paramLabel = "PATH",
            description = "Where it listens. Default: sidecar.sock in its folder")
    private Path socket;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "What it may take of the shared memory, such as 8g. Default: a quarter of the file"
                            + " system")
    private Long memory;

    @Option(
            names = "--idle",
            paramLabel = "DURATION",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description =
                    "End after so long without a trainer; 0s: never. Default: ${DEFAULT-VALUE}")
    private Duration idle;

    @Option(names = "--group", description = "Let processes of the same group use it too.")
    private boolean group;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Tell Prometheus at this port of 127.0.0.1. Default: not at all")
    private Integer metricsPort;

    @Option(
            names = "--flight",
            paramLabel = "HOST:PORT",
            description = "Serve remote readers by Arrow Flight. Default: not at all")
    private String flight;

    @Option(
            names = "--flight-token-file",
            paramLabel = "FILE",
            description = "Its first line is the token that readers by Flight must bear.")
    private Path flightToken;

    @Option(
            names = "--flight-certificate",
            paramLabel = "FILE",
            description = "The chain of certificates (PEM) to serve Flight with TLS.")
    private Path flightCertificate;

    @Option(
            names = "--flight-key",
            paramLabel = "FILE",
            description = "The key (PEM) of the certificate.")
    private Path flightKey;

    @Override
    public Integer call() {
        SidecarSettings settings =
                new SidecarSettings(
                        SidecarSettings.userFolder(shmDir),
                        Optional.ofNullable(socket),
                        Optional.ofNullable(memory),
                        idle,
                        group ? Sharing.GROUP : Sharing.USER,
                        Optional.ofNullable(metricsPort),
                        flight(),
                        SidecarSettings.FETCHERS,
                        SidecarSettings.FULL);
        Identity identity = new Identity(Version.number(), ProcessHandle.current().pid());
        Optional<Sidecar> started = Sidecar.start(World.real(), settings, identity);
        if (started.isEmpty()) {
            tell("Another sidecar serves in " + settings.folder());
            return ExitCode.OK.code();
        }
        try (Sidecar sidecar = started.get()) {
            // A signal ends the process without coming back here.
            Runtime.getRuntime().addShutdownHook(new Thread(sidecar::close, "sidecar-end"));
            tell("Serving at " + settings.socketPath());
            sidecar.metricsPort().ifPresent(port -> tell("Metrics at 127.0.0.1:" + port));
            sidecar.flightPort().ifPresent(port -> tell("Arrow Flight at port " + port));
            sidecar.run();
        }
        return ExitCode.OK.code();
    }

    private Optional<FlightSettings> flight() {
        if (flight == null) {
            return Optional.empty();
        }
        Matcher at = HOST_PORT.matcher(flight);
        if (!at.matches()) {
            throw new InvalidRequestException(
                    "Invalid --flight '" + flight + "': write HOST:PORT, such as 127.0.0.1:8815");
        }
        if ((flightCertificate == null) != (flightKey == null)) {
            throw new InvalidRequestException(
                    "Cannot serve Flight with TLS by half: name both --flight-certificate and"
                            + " --flight-key");
        }
        return Optional.of(
                new FlightSettings(
                        at.group(1),
                        Integer.parseInt(at.group(2)),
                        Optional.ofNullable(flightToken).map(SidecarCommand::firstLine),
                        Optional.ofNullable(flightKey)
                                .map(
                                        key ->
                                                new FlightSettings.Tls(
                                                        flightCertificate.toFile(),
                                                        key.toFile()))));
    }

    private static String firstLine(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst()
                    .filter(line -> !line.isBlank())
                    .orElseThrow(
                            () ->
                                    new InvalidRequestException(
                                            "Cannot read a token from " + file + ": it is empty"));
        } catch (IOException e) {
            throw new InvalidRequestException(
                    "Cannot read a token from " + file + ": " + Why.of(e), e);
        }
    }

    private void tell(String line) {
        command.commandLine().getOut().println(line);
        command.commandLine().getOut().flush();
    }

    @Override
    public String interrupt() {
        return "trainers start another sidecar and go on";
    }
}
