package io.batchweave.cli.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.cli.files.Location;
import io.batchweave.cli.files.Locations;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private final Map<String, Input> byOrigin = new HashMap<>();
    private final Map<String, String> versions = new HashMap<>();
    private final Map<String, Fingerprint> fingerprints = new HashMap<>();

    private Inputs(List<Input> files) {
        this.files = List.copyOf(files);
        for (Input file : files) {
            byOrigin.put(file.location().origin(), file);
            versions.put(file.location().origin(), file.version());
        }
    }

    /**
     * Finds the files that {@code arguments} name: files, folders (with every wanted file below
     * them) and patterns ({@code *}, {@code ?}, {@code [..]}, {@code {..}} and {@code **}); on this
     * machine, or by a URI on a store.
     *
     * @param wanted takes the name of a file
     * @param endings what those names end in, for people
     * @throws InvalidRequestException if an argument names no file, or two of them the same
     */
    public static Inputs of(
            Locations locations, List<String> arguments, Predicate<String> wanted, String endings) {
        if (arguments.isEmpty()) {
            throw new InvalidRequestException(
                    "Cannot ingest nothing: no input is named; name files, folders or patterns");
        }
        Search search = new Search(locations, wanted, endings);
        List<Input> files = new ArrayList<>();
        for (String argument : arguments) {
            files.addAll(search.expand(Locations.plain(argument)));
        }
        refuseRepetition(files);
        return new Inputs(files);
    }

    /**
     * Makes sure that what was read of inputs is of the files that were found.
     *
     * @param origins of those inputs, as {@link Origin} has them
     * @throws InvalidRequestException if one was written to or replaced since
     */
    public void demandUnchanged(Collection<String> origins) {
        for (String origin : origins) {
            Input file = byOrigin.get(origin);
            if (!file.version().equals(versions.get(origin))) {
                throw new InvalidRequestException(
                        "Cannot ingest "
                                + file
                                + ": it was changed while it was read, and nothing of the batch was"
                                + " published; let inputs be, and run the same again");
            }
        }
    }

    /**
     * Makes sure that the first inputs are those that were finished, and that others follow.
     *
     * @param place what was committed, for the refusal
     * @throws InvalidRequestException if they are not
     */
    public void demandFirst(Finished committed, String place) {
        if (size() <= committed.inputs()) {
            throw changed(place, "there are only " + size() + " inputs");
        }
        Finished now = Finished.NOTHING;
        for (Input file : files.subList(0, committed.inputs())) {
            now = now.with(file.name(), file.size());
        }
        if (!now.equals(committed)) {
            throw changed(
                    place,
                    "the names or lengths of the inputs before it have changed from "
                            + committed.describe()
                            + " to "
                            + now.describe());
        }
    }

    /**
     * A refusal to go on in inputs that are not those that were ingested.
     *
     * @param place what was committed
     */
    public static InvalidRequestException changed(String place, String why) {
        return new InvalidRequestException(
                "Cannot resume at "
                        + place
                        + ": "
                        + why
                        + "; give the inputs as they were, new ones after them, or use another"
                        + " producer");
    }

    /**
     * The fingerprint of one of the files. All of it is read for that once; a change that comes
     * later is found by {@link #demandUnchanged}.
     */
    public Fingerprint fingerprint(Input file) {
        return fingerprints.computeIfAbsent(
                file.location().origin(), origin -> Fingerprint.of(file));
    }

    /** How many files there are, at least one. */
    public int size() {
        return files.size();
    }

    /** The file at {@code index}, from 0. */
    public Input file(int index) {
        return files.get(index);
    }

    /** All files, in their order. */
    public List<Input> files() {
        return files;
    }

    private static Input file(Location path, String name) {
        if (!path.isFile()) {
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + path
                            + ": it is no regular file, so that a restart could not read it again;"
                            + " copy it to a file first");
        }
        return new Input(path, name);
    }

    /** The search for files of the wanted names. */
    private record Search(Locations locations, Predicate<String> wanted, String endings) {
        List<Input> expand(String argument) {
            Location path = locations.at(argument);
            if (path.isFolder()) {
                return filesBelow(path, path);
            }
            if (path.exists()) {
                return List.of(file(path, path.name()));
            }
            if (Glob.isPattern(argument)) {
                return expand(new Glob(argument, locations), argument);
            }
            throw new InvalidRequestException(
                    "Cannot ingest "
                            + argument
                            + ": there is no such file or folder; check the path");
        }

        private List<Input> expand(Glob glob, String argument) {
            List<Input> files = new ArrayList<>();
            for (Location match : glob.matches()) {
                if (match.isFolder()) {
                    files.addAll(filesBelow(match, glob.base()));
                } else {
                    files.add(file(match, match.pathBelow(glob.base())));
                }
            }
            if (files.isEmpty()) {
                throw new InvalidRequestException(
                        "Cannot ingest '" + argument + "': nothing matches; check the pattern");
            }
            files.sort(BY_NAME_BYTES);
            return files;
        }

        private List<Input> filesBelow(Location folder, Location base) {
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

        private Collection<Input> filesIn(Location folder, Location base) {
            return folder.visibleEntries().stream()
                    .filter(entry -> wanted.test(entry.name()))
                    .filter(entry -> !entry.isFolder())
                    .map(entry -> file(entry, entry.pathBelow(base)))
                    .toList();
        }
    }

    /** The same text twice is far more often a slip than a wish. */
    private static void refuseRepetition(List<Input> files) {
        Set<String> seen = new HashSet<>();
        for (Input file : files) {
            if (!seen.add(identity(file))) {
                throw new InvalidRequestException(
                        "Cannot ingest " + file + ": it is among the inputs twice; name it once");
            }
        }
    }

    private static String identity(Input file) {
        try {
            return file.location().identity();
        } catch (IOException e) {
            throw file.unreadable(e);
        }
    }
}
