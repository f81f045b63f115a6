package io.batchweave.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Python package, as pip builds it from this repository, and its own tests. */
@Timeout(1_200)
class PythonPackageIT {
    private static final Path SOURCES =
            Path.of(System.getProperty("repository.root"), "arrow-reader", "python");

    private static final long WHEEL_BYTES_MAX = 80L << 20;

    @TempDir private Path folder;
    private Python python;

    @BeforeEach
    void install() {
        python = Python.installed();
    }

    @Test
    void typesAreRight() throws Exception {
        run("-m", "mypy", "--cache-dir", folder.resolve("mypy").toString());
    }

    /** They run against what is installed, with the jars that it carries. */
    @Test
    void itsTestsPassAgainstTheWheel() throws Exception {
        run(pip("wheel", "--no-deps", "--wheel-dir", folder.toString(), SOURCES.toString()));
        Path wheel = wheel();
        assertThat(Files.size(wheel)).isLessThanOrEqualTo(WHEEL_BYTES_MAX);
        Path installed = folder.resolve("installed");
        run(pip("install", "--no-deps", "--target", installed.toString(), wheel.toString()));

        String printed =
                run(
                        Map.of(
                                "PYTHONPATH",
                                installed.toString(),
                                "BATCHWEAVE_KILLS",
                                System.getProperty("kills", "5"),
                                "BATCHWEAVE_STEPS",
                                System.getProperty("steps", "2000")),
                        List.of("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"));

        // What was skipped, and why, is told there.
        System.out.print(printed);
    }

    private Path wheel() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".whl")).findFirst().orElseThrow();
        }
    }

    private static String[] pip(String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of("-m", "pip", command, "--quiet"));
        line.addAll(List.of("--disable-pip-version-check", "--no-index"));
        if (command.equals("wheel")) {
            line.add("--no-build-isolation");
        }
        line.addAll(List.of(arguments));
        return line.toArray(String[]::new);
    }

    private void run(String... arguments) throws IOException, InterruptedException {
        run(Map.of(), List.of(arguments));
    }

    private String run(Map<String, String> environment, List<String> arguments)
            throws IOException, InterruptedException {
        Path printed = Files.createTempFile(folder, "printed", "");
        List<String> command = new ArrayList<>(List.of(python.executable().toString()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(SOURCES.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeIf(name -> name.startsWith("BATCHWEAVE_"));
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        String text = Files.readString(printed, UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }
}
