package io.batchweave.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the objects of one dataset lie. Folders that grow with every commit or batch are cut after
 * {@value #FOLDER_ENTRIES} of them.
 */
public record Layout(DatasetName dataset) {
    /** Most entries of a folder that grows. */
    public static final int FOLDER_ENTRIES = 4_096;

    /** So many commits are packed together. */
    public static final int PACKED = 64;

    private static final int DIGITS = 20;

    /** More than any log has, and no {@code long} is too short for it. */
    private static final String NUMBER = "00[0-9]{18}";

    private static final Pattern NUMBERS = Pattern.compile(NUMBER + "(-" + NUMBER + ")*");

    private static final Pattern PART =
            Pattern.compile("([^/]+)/(%1$s)/%1$s/(%1$s)(-[0-9]+)?\\.arrow".formatted(NUMBER));

    /** The folder of everything that belongs to the dataset, without its views. */
    public String root() {
        return dataset.namespace() + "/" + dataset.name();
    }

    /** The commit of a version. */
    public String commit(long version) {
        return commits() + "/" + cut(version) + "/" + padded(version);
    }

    /** The folder of all commits. */
    public String commits() {
        return root() + "/log";
    }

    /** The folder of all saved States. */
    public String states() {
        return root() + "/state";
    }

    /** The saved State of a version. */
    public String state(long version) {
        return states() + "/" + padded(version);
    }

    /** The folder of all boundaries. */
    public String boundaries() {
        return root() + "/boundary";
    }

    /** The boundary behind a version. */
    public String boundary(long version, Instant at) {
        return boundaries() + "/" + padded(version) + "-" + padded(at.toEpochMilli());
    }

    /** The pack of these {@value #PACKED} commits. */
    public String pack(long number) {
        return packs(number) + "/" + padded(number);
    }

    /** The folder of a pack. */
    public String packs(long number) {
        return root() + "/packs/" + cut(number);
    }

    /** The segment of these steps. */
    public String segment(long firstStep, long lastStep) {
        return String.join(
                "/",
                root(),
                "segments",
                cut(firstStep),
                padded(firstStep) + "-" + padded(lastStep));
    }

    /** The folder of all payload. */
    public String payload() {
        return root() + "/data";
    }

    /** The folder of what somebody writes to learn what the store does. */
    public String probe(String id) {
        return root() + "/probe/" + id;
    }

    /** The folder of all that ranks say. */
    public String acknowledgements() {
        return root() + "/acks";
    }

    /** The folder of all that ranks of a job's session say of a checkpoint. */
    public String acknowledgements(String job, long sessionVersion, String checkpoint) {
        return String.join("/", acknowledgements(), job, padded(sessionVersion), checkpoint);
    }

    /** A number as it cuts a folder: so many entries share one below it. */
    public static String cut(long number) {
        return padded(number / FOLDER_ENTRIES);
    }

    /** A part of the batch of a claim. */
    public String part(Claim claim, int part) {
        return String.join(
                "/",
                payload(),
                claim.producer(),
                padded(claim.epoch()),
                cut(claim.sequence()),
                padded(claim.sequence()) + (part == 0 ? "" : "-" + part) + ".arrow");
    }

    /** The claim that a part is of, if the key is one that {@link #part} gives. */
    public Optional<Claim> claim(String key) {
        String folder = payload() + "/";
        Matcher part = PART.matcher(key.startsWith(folder) ? key.substring(folder.length()) : "");
        return part.matches() && Names.isPathPart(part.group(1))
                ? Optional.of(
                        new Claim(
                                part.group(1),
                                Long.parseLong(part.group(2)),
                                Long.parseLong(part.group(3))))
                : Optional.empty();
    }

    /** The number that the last name of a key is, as {@link #padded} gives it, if it is one. */
    public static Optional<Long> number(String key) {
        List<Long> numbers = numbers(key);
        return numbers.size() == 1 ? Optional.of(numbers.get(0)) : Optional.empty();
    }

    /** The numbers that the last name of a key joins by dashes; none: it is another name. */
    public static List<Long> numbers(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        return NUMBERS.matcher(name).matches()
                ? Stream.of(name.split("-", -1)).map(Long::valueOf).toList()
                : List.of();
    }

    /** A number as a name that sorts as it counts: 20 digits, the same in every locale. */
    public static String padded(long number) {
        if (number < 0) {
            throw new IllegalArgumentException(
                    "Invalid number " + number + " in the name of an object: it is negative");
        }
        String digits = Long.toString(number);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }
}
