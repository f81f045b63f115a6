package io.batchweave.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of this repository, as a person would check them out: nothing that a build made. */
final class Repository {
    private static final Path ROOT = Path.of(System.getProperty("repository.root", ".."));
    private static final Set<String> MADE = Set.of("target", "warehouse", "__pycache__", "venv");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private Repository() {}

    static Path root() {
        return ROOT;
    }

    /** The folders of the Maven modules. */
    static List<String> modules() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    static List<Path> javaFiles() {
        return files(".java");
    }

    static List<Path> mainFiles() {
        return javaFiles().stream().filter(file -> text(file).contains("/src/main/")).toList();
    }

    /** All files whose names end so, in order. */
    static List<Path> files(String ending) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(
                    ROOT,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            return folder.equals(ROOT) || isKept(text(folder.getFileName()))
                                    ? FileVisitResult.CONTINUE
                                    : FileVisitResult.SKIP_SUBTREE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (text(file).endsWith(ending)) {
                                found.add(file);
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().toList();
    }

    private static boolean isKept(String folder) {
        return !folder.startsWith(".") && !MADE.contains(folder);
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    /** The file's path from the root, for messages. */
    static String name(Path file) {
        return text(ROOT.relativize(file));
    }

    /** One breach for every place where the pattern is found, with its line. */
    static Stream<String> breaches(Path file, Pattern pattern, String instead) {
        String content = read(file);
        return pattern.matcher(content)
                .results()
                .map(found -> name(file) + ":" + line(content, found) + ": " + instead);
    }

    private static long line(String content, MatchResult found) {
        return content.substring(0, found.start()).lines().count() + 1;
    }

    private static String text(Path path) {
        return path.toString().replace('\\', '/');
    }
}
