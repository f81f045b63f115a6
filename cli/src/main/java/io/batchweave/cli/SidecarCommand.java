package io.batchweave.cli;

import io.batchweave.sidecar.Identity;
import io.batchweave.sidecar.Sidecar;
import io.batchweave.sidecar.SidecarSettings;
import io.batchweave.sidecar.SidecarSettings.Sharing;
import io.batchweave.world.World;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
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

    @Override
    public Integer call() {
        SidecarSettings settings =
                new SidecarSettings(
                        SidecarSettings.userFolder(shmDir),
                        Optional.ofNullable(socket),
                        Optional.ofNullable(memory),
                        idle,
                        group ? Sharing.GROUP : Sharing.USER,
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
            sidecar.run();
        }
        return ExitCode.OK.code();
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
