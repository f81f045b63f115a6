package io.batchweave.cli.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The files of an ingest, in the order in which they are read: that of the arguments, and within a
 * folder or pattern that of the names' bytes.
 */
public final class Inputs {
    private static final Comparator<Input> BY_NAME_BYTES =
            Comparator.comparing(input -> input.name().getBytes(UTF_8), Arrays::compareUnsigned);

    private final List<Input> files;

    private Inputs(List<Input> files) {
        this.files = List.copyOf(files);
    }

    /**
     * Finds the files that {@code arguments} name: files, folders (with every .txt, .md, .jsonl and
     * .ndjson file below them) and patterns ({@code *}, {@code ?}, {@code [..]}, {@code {..}} and
     * {@code **}).
     *
     * @throws InvalidRequestException if an argument names no file, or two of them the same
     */
    public static Inputs of(List<String> arguments) {
        return of(arguments, InputKind::isReadFromFolders, ".txt, .md, .jsonl or .ndjson");
    }

    /**
     * Finds the files that {@code arguments} name; of those in folders the ones that are wanted.
     *
     * @param wanted takes the name of a file
     * @param endings what those names end in, for people
     * @throws InvalidRequestException if an argument names no file, or two of them the same
     */
    public static Inputs of(List<String> arguments, Predicate<String> wanted, String endings) {
        if (arguments.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot ingest nothing: no input is named; name files, folders or patterns");
        }
        Search search = new Search(wanted, endings);
        List<Input> files = new ArrayList<>();
        for (String argument : arguments) {
            files.addAll(search.expand(argument));
        }
        refuseRepetition(files);
        return new Inputs(files);
    }

    /** How many files there are, at least one. */
    public int size() {
        return files.size();
    }

    /** The file at {@code index}, from 0. */
    public Input file(int index) {
        return files.get(index);
    }

    Optional<Input> first(InputKind kind) {
        return files.stream().filter(file -> file.kind() == kind).findFirst();
    }

    private static Input file(Path path, Path name) {
        if (!Files.isRegularFile(path)) {
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + path
                            + ": it is no regular file, so that a restart could not read it again;"
                            + " copy it to a file first");
        }
        List<String> parts = new ArrayList<>();
        name.forEach(part -> parts.add(part.toString()));
        return new Input(path, String.join("/", parts));
    }

    /** The search for files of the wanted names. */
    private record Search(Predicate<String> wanted, String endings) {
        List<Input> expand(String argument) {
            Path path = pathOf(argument);
            if (Files.isDirectory(path)) {
                return filesBelow(path, path);
            }
            if (Files.exists(path)) {
                return List.of(file(path, path.getFileName()));
            }
            if (Glob.isPattern(argument)) {
                return expand(new Glob(argument), argument);
            }
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + argument
                            + ": there is no such file or folder; check the path");
        }

        private List<Input> expand(Glob glob, String argument) {
            List<Input> files = new ArrayList<>();
            for (Path match : glob.matches()) {
                if (Files.isDirectory(match)) {
                    files.addAll(filesBelow(match, glob.base()));
                } else {
                    files.add(file(match, glob.base().relativize(match)));
                }
            }
            if (files.isEmpty()) {
                throw new InvalidRequestException(
                        "Cannot ingest '" + argument + "': nothing matches; check the pattern");
            }
            files.sort(BY_NAME_BYTES);
            return files;
        }

        private List<Input> filesBelow(Path folder, Path base) {
            List<Input> files = new ArrayList<>();
            Folder.walk(folder, each -> files.addAll(filesIn(each, base)));
            if (files.isEmpty()) {
                throw new InvalidRequestException(
                        "Cannot ingest "
                                + folder
                                + ": the folder holds no "
                                + endings
                                + " file; name other files one by one or by a pattern");
            }
            files.sort(BY_NAME_BYTES);
            return files;
        }

        private Collection<Input> filesIn(Path folder, Path base) {
            return Folder.visibleEntries(folder).stream()
                    .filter(entry -> wanted.test(entry.getFileName().toString()))
                    .filter(entry -> !Files.isDirectory(entry))
                    .map(entry -> file(entry, base.relativize(entry)))
                    .toList();
        }
    }

    private static Path pathOf(String argument) {
        try {
            if (!argument.isBlank()) {
                return Path.of(argument);
            }
        } catch (InvalidPathException e) {
            throw new InvalidRequestException(
                    "Cannot ingest '" + e.getReason() + "': it is no path; name a file", e);
        }
        throw new InvalidRequestException("Cannot ingest '': it is no path; name a file");
    }

    /** The same text twice is far more often a slip than a wish. */
    private static void refuseRepetition(List<Input> files) {
        Set<Path> seen = new HashSet<>();
        for (Input file : files) {
            if (!seen.add(realPath(file.path()))) {
                throw new InvalidRequestException(
                        "Cannot ingest "
                                + file.path()
                                + ": it is among the inputs twice; name it once");
            }
        }
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw Input.unreadable(path, e);
        }
    }
}
