package io.batchweave.protocol;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What came out of searching a model.
 *
 * @param statements of the program, by process, as it listed them
 * @param printed by the search
 */
record Search(List<String> statements, List<String> printed) {
    private static final Pattern VIOLATED = Pattern.compile("pan:1: assertion violated (\\w+) .*");
    private static final Pattern PROCESS = Pattern.compile("(?:unreached in )?proctype (\\w+)");
    private static final Pattern TOLD = Pattern.compile("state +(\\d+)[ ,].*printf\\('(.*?)\\\\n'");

    /** The invariant that does not hold. */
    Optional<String> broken() {
        return printed.stream()
                .map(VIOLATED::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1))
                .findFirst();
    }

    /** Whether every state was looked at, and none was wrong. */
    boolean holds() {
        return printed.stream().anyMatch(line -> line.endsWith("errors: 0"))
                && printed.stream().noneMatch(line -> line.contains("not completed"));
    }

    /** The lines of the story that can be told: what the model prints somewhere on some way. */
    Set<String> happens() {
        Map<String, String> told = told(statements);
        told.keySet().removeAll(told(printed).keySet());
        return new TreeSet<>(told.values());
    }

    /** By place, all lines of the story that are named. */
    private static Map<String, String> told(List<String> lines) {
        Map<String, String> told = new HashMap<>();
        String process = "";
        for (String line : lines) {
            Matcher begins = PROCESS.matcher(line);
            Matcher tells = TOLD.matcher(line);
            if (begins.matches()) {
                process = begins.group(1);
            } else if (tells.find()) {
                told.put(process + " " + tells.group(1), tells.group(2));
            }
        }
        return told;
    }
}
