package io.batchweave.catalog.register;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which changes led to a text: the ids of the last versions, up to its own.
 *
 * <p>It is the first field of the stored JSON object, where those who do not know it pass over it.
 * Who writes without it breaks the line; the next version begins a new one.
 *
 * @param last the version whose id is the last one
 * @param ids of consecutive versions, at most {@value #MAX}
 */
record Lineage(long last, List<String> ids) {
    static final int MAX = 100;
    private static final String FIELD = "batchweave-changes";
    private static final Pattern START =
            Pattern.compile("\\{\"" + FIELD + "\":\\[([0-9a-f\",-]*)],?");

    /** That of a text which says nothing of its past. */
    static Lineage unknown(long last) {
        return new Lineage(last, List.of());
    }

    /** What a stored text says. */
    static Lineage of(long version, String stored) {
        Matcher start = START.matcher(stored);
        return start.lookingAt() && !start.group(1).isEmpty()
                ? new Lineage(
                        version, Arrays.asList(start.group(1).replace("\"", "").split(",", -1)))
                : unknown(version);
    }

    /** A stored text without what was put into it. */
    static String textOf(String stored) {
        Matcher start = START.matcher(stored);
        return start.lookingAt() ? "{" + stored.substring(start.end()) : stored;
    }

    /** The lineage of a change made upon this one. */
    Lineage next(String id) {
        List<String> all = new ArrayList<>(ids);
        all.add(id);
        return new Lineage(last + 1, all.subList(Math.max(0, all.size() - MAX), all.size()));
    }

    /** The id of a version, if it is known. */
    Optional<String> idOf(long version) {
        long place = ids.size() - 1 - (last - version);
        return place >= 0 && place < ids.size()
                ? Optional.of(ids.get((int) place))
                : Optional.empty();
    }

    /** The text of a JSON object as it is stored. */
    String stored(String text) {
        String rest = text.substring(text.indexOf('{') + 1).stripLeading();
        String list = ids.stream().map(id -> '"' + id + '"').collect(Collectors.joining(","));
        return "{\"" + FIELD + "\":[" + list + "]" + (rest.startsWith("}") ? "" : ",") + rest;
    }
}
