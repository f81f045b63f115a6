package io.batchweave.launcher;

import io.batchweave.testing.Require;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A small checkout with the real launcher, a Java that prints what it is asked to run, and a Maven
 * that makes a jar and counts its builds. No other program is in reach than those the launcher is
 * known to need.
 */
final class Checkout {
    private static final List<String> TOOLS =
            List.of(
                    "bash",
                    "cat",
                    "cksum",
                    "dirname",
                    "env",
                    "find",
                    "grep",
                    "head",
                    "mkdir",
                    "readlink",
                    "rm",
                    "sort",
                    "touch",
                    "tr",
                    "xargs");

    private static final String MAVEN =
            """
            #!/bin/sh
            echo build >>builds
            mkdir -p cli/target/lib
            if grep -q nonsense cli/src/main/Main.java; then
              echo '[ERROR] nonsense'
              exit 1
            fi
            cat cli/src/main/Main.java >cli/target/lib/library.jar
            cat cli/src/main/Main.java >cli/target/batchweave-cli-1.jar
            """;
    private static final String JAVA = "#!/bin/sh\necho \"$PWD\" \"$@\"\n";
    private static final Duration RUN_MAX = Duration.ofMinutes(1);

    private final Path root;
    private final Path tools;

    private Checkout(Path root, Path tools) {
        this.root = root;
        this.tools = tools;
    }

    static Checkout in(Path folder) throws IOException {
        Checkout checkout = new Checkout(folder.resolve("a checkout"), folder.resolve("tools"));
        for (String tool : TOOLS) {
            Optional<Path> found = find(tool);
            Require.that(found.isPresent(), "the launcher needs " + tool + "; install it");
            checkout.offer(found.orElseThrow());
        }
        Optional<Path> lock = find("flock");
        if (lock.isPresent()) {
            checkout.offer(lock.orElseThrow());
        }
        program(checkout.tools.resolve("mvn"), MAVEN);
        checkout.install("17.0.1");
        Path launcher = Path.of(System.getProperty("repository.root"), "batchweave");
        program(checkout.file("batchweave"), Files.readString(launcher));
        checkout.edit("pom.xml", "<project/>");
        checkout.edit("cli/src/main/Main.java", "first");
        return checkout;
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** Writes a source, later than any build so far. */
    void edit(String name, String content) throws IOException {
        write(file(name), content);
        age(file(name));
    }

    /** Gives all sources new times, as a copy does. */
    void touchSources() throws IOException {
        age(file("pom.xml"));
        age(file("cli/src/main/Main.java"));
    }

    private void age(Path source) throws IOException {
        Path jar = file("cli/target/batchweave-cli-1.jar");
        if (Files.exists(jar)) {
            long later = Files.getLastModifiedTime(jar).toMillis() + 1_000;
            Files.setLastModifiedTime(source, FileTime.fromMillis(later));
        }
    }

    long builds() throws IOException {
        return Files.exists(file("builds")) ? Files.readAllLines(file("builds")).size() : 0;
    }

    /** Makes a Java of this version the one in reach. */
    void install(String version) throws IOException {
        Path jdk = tools.resolveSibling("jdk-" + version);
        program(jdk.resolve("bin/java"), JAVA);
        write(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        remove("java");
        Files.createSymbolicLink(tools.resolve("java"), jdk.resolve("bin/java"));
    }

    boolean has(String tool) {
        return Files.exists(tools.resolve(tool));
    }

    void remove(String tool) throws IOException {
        Files.deleteIfExists(tools.resolve(tool));
    }

    Run run(String... arguments) throws IOException, InterruptedException {
        return finish(start(file("batchweave"), root, Map.of(), arguments));
    }

    Process start(Path launcher, Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command).directory(folder.toFile());
        process.environment().clear();
        process.environment().put("PATH", tools.toString());
        process.environment().putAll(environment);
        return process.start();
    }

    /** Its output fits the pipes, so that it can end before anybody reads. */
    static Run finish(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(RUN_MAX.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return new Run(
                process.waitFor(), text(process.getInputStream()), text(process.getErrorStream()));
    }

    private static String text(InputStream output) throws IOException {
        return new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** By a script and not by a link: who deletes the folder must not follow it. */
    private void offer(Path found) throws IOException {
        program(tools.resolve(found.getFileName()), "#!/bin/sh\nexec '" + found + "' \"$@\"\n");
    }

    private static Optional<Path> find(String tool) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static void program(Path file, String content) throws IOException {
        write(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    record Run(int code, String out, String err) {}
}
