package io.batchweave.cli.inputs;

import io.batchweave.cli.files.Location;
import io.batchweave.cli.files.Locations;
import io.batchweave.errors.InvalidRequestException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern that no shell expanded, such as {@code 'data/**}{@code /*.jsonl'}: {@code *}, {@code
 * ?}, {@code [a-z]} and {@code {a,b}} within a name, and {@code **} for any number of folders, also
 * none. No wildcard matches a name that begins with a dot.
 */
final class Glob {
    private static final Pattern MAGIC = Pattern.compile("[*?\\[{]");
    private static final String ANY_FOLDERS = "**";

    private final String text;
    private final Location base;
    private final List<String> parts;

    Glob(String text, Locations locations) {
        this.text = text;
        var magic = MAGIC.matcher(text);
        int first = magic.find() ? magic.start() : text.length();
        int slash = text.lastIndexOf('/', first);
        this.base =
                slash < 0
                        ? locations.workingFolder()
                        : locations.at(text.substring(0, Math.max(slash, 1)));
        this.parts = List.of(text.substring(slash + 1).split("/+"));
    }

    static boolean isPattern(String text) {
        return MAGIC.matcher(text).find();
    }

    /** The folder before the first part that is a pattern. */
    Location base() {
        return base;
    }

    /** The files and folders that match, each once, in no order. */
    Set<Location> matches() {
        Set<Location> found = new LinkedHashSet<>();
        if (base.isFolder()) {
            match(base, 0, found);
        }
        return found;
    }

    private void match(Location path, int done, Set<Location> found) {
        if (done == parts.size()) {
            found.add(path);
            return;
        }
        String part = parts.get(done);
        if (!path.isFolder()) {
            return;
        }
        if (part.equals(ANY_FOLDERS) && done + 1 == parts.size()) {
            found.add(path); // a folder stands for all that is below it
        } else if (part.equals(ANY_FOLDERS)) {
            Folder.walk(path, folder -> match(folder, done + 1, found));
        } else if (!isPattern(part)) {
            Location next = path.below(part);
            if (next.exists()) {
                match(next, done + 1, found);
            }
        } else {
            PathMatcher matcher = matcher(part);
            for (Location entry : path.visibleEntries()) {
                if (matcher.matches(Path.of(entry.name()))) {
                    match(entry, done + 1, found);
                }
            }
        }
    }

    private PathMatcher matcher(String part) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + part);
        } catch (PatternSyntaxException e) {
            throw new InvalidRequestException(
                    "Cannot expand '"
                            + text
                            + "': "
                            + e.getDescription()
                            + "; a bracket or brace must close before the next '/'",
                    e);
        }
    }
}
