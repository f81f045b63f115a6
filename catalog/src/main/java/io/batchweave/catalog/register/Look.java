package io.batchweave.catalog.register;

import io.batchweave.store.Listing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lay in the folder of a register at some moment.
 *
 * @param versions in ascending order
 * @param voids marks of dropped texts, in ascending order
 * @param others what else lies there under names that sort with them, such as Hadoop's hint
 */
record Look(List<Mark> versions, List<Mark> voids, List<String> others) {
    /** What every name that matters here sorts after. */
    static final String START = "v";

    /** Nine digits, since Hadoop catalogs count in 32 bits. */
    private static final Pattern VERSION =
            Pattern.compile("v([1-9][0-9]{0,8})(\\.gz)?\\.metadata\\.json(\\.gz)?");

    private static final Pattern VOID =
            Pattern.compile("x([1-9][0-9]{0,8})\\.metadata\\.json\\.dropped");

    /** An object and the number in its name. */
    record Mark(long number, String key) {}

    static String version(long number) {
        return "v" + number + ".metadata.json";
    }

    static String mark(long number) {
        return "x" + number + ".metadata.json.dropped";
    }

    static Look at(Listing listing) {
        List<Mark> versions = new ArrayList<>();
        List<Mark> voids = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Listing.Item item : listing.objects()) {
            String name = item.key().substring(item.key().lastIndexOf('/') + 1);
            Matcher version = VERSION.matcher(name);
            Matcher mark = VOID.matcher(name);
            if (version.matches()) {
                versions.add(new Mark(Long.parseLong(version.group(1)), item.key()));
            } else if (mark.matches()) {
                voids.add(new Mark(Long.parseLong(mark.group(1)), item.key()));
            } else {
                others.add(item.key());
            }
        }
        versions.sort(Comparator.comparingLong(Mark::number));
        voids.sort(Comparator.comparingLong(Mark::number));
        return new Look(versions, voids, others);
    }

    /** The newest text, if it is not void. */
    Optional<Mark> live() {
        return last(versions).filter(version -> version.number() > voided());
    }

    /** The highest number that is void; 0 if none is. */
    long voided() {
        return last(voids).map(Mark::number).orElse(0L);
    }

    /** What decides about everything below it. */
    Optional<Mark> top() {
        return live().or(() -> last(voids));
    }

    private static Optional<Mark> last(List<Mark> marks) {
        return marks.isEmpty() ? Optional.empty() : Optional.of(marks.get(marks.size() - 1));
    }
}
