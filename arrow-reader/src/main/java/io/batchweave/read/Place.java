package io.batchweave.read;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Axis;
import io.batchweave.model.Names;
import io.batchweave.model.SliceGrid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A rank's place on the mesh, and the slices it owns there (READ-1).
 *
 * @param text the place as it was named
 * @param slices indexes in the grid, ascending
 */
public record Place(String text, List<Integer> slices) {
    private static final Pattern COORDINATE =
            Pattern.compile("\\s*([^=/]*?)\\s*=\\s*(-?\\d{1,9})\\s*/\\s*(-?\\d{1,9})\\s*");

    public Place {
        slices = List.copyOf(slices);
        int before = -1;
        for (int slice : slices) {
            if (slice <= before) {
                throw new IllegalArgumentException(
                        "Invalid place '" + text + "': its slices do not ascend from 0: " + slices);
            }
            before = slice;
        }
    }

    /** Whether all its slices are slices of this grid. */
    boolean isOn(SliceGrid grid) {
        return slices.isEmpty() || slices.get(slices.size() - 1) < grid.slices();
    }

    /** The mesh without the rank, such as {@code dp=8}: the same for all ranks of a world. */
    public String sizes() {
        return Stream.of(text.split(",", -1))
                .map(COORDINATE::matcher)
                .filter(Matcher::matches)
                .filter(axis -> Integer.parseInt(axis.group(3)) > 1)
                .map(axis -> axis.group(1) + "=" + Integer.parseInt(axis.group(3)))
                .sorted()
                .collect(Collectors.joining(","));
    }

    private record Coordinate(int rank, int size) {
        static final Coordinate WHOLE = new Coordinate(0, 1);
    }

    /** All slices. */
    public static Place whole(SliceGrid grid) {
        return new Place("the whole grid", IntStream.range(0, grid.slices()).boxed().toList());
    }

    /**
     * Reads {@code dp=3/8,cp=0/2}: rank 3 of 8 on axis dp, rank 0 of 2 on axis cp. An axis that is
     * not named is taken whole.
     *
     * @throws InvalidRequestException if it is not a place on this grid; an illegal world size
     *     names the legal ones
     */
    public static Place parse(String text, SliceGrid grid) {
        Map<String, Coordinate> coordinates = coordinates(text, grid);
        List<Integer> slices = List.of(0);
        for (Axis axis : grid.axes()) {
            Coordinate at = coordinates.getOrDefault(axis.name(), Coordinate.WHOLE);
            int owned = axis.size() / at.size();
            int first = at.rank() * owned;
            List<Integer> wider = new ArrayList<>();
            for (int slice : slices) {
                for (int index = first; index < first + owned; index++) {
                    wider.add(slice * axis.size() + index);
                }
            }
            slices = wider;
        }
        return new Place(text, slices);
    }

    private static Map<String, Coordinate> coordinates(String text, SliceGrid grid) {
        Map<String, Coordinate> coordinates = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            Matcher sides = COORDINATE.matcher(part);
            if (!sides.matches()) {
                throw malformed(text);
            }
            Axis axis = axis(sides.group(1), text, grid);
            int rank = Integer.parseInt(sides.group(2));
            int size = Integer.parseInt(sides.group(3));
            if (coordinates.put(axis.name(), coordinate(rank, size, axis, text)) != null) {
                throw refusal(text, "axis " + axis.name() + " is named twice");
            }
        }
        return coordinates;
    }

    private static Axis axis(String name, String text, SliceGrid grid) {
        return grid.axes().stream()
                .filter(axis -> axis.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                refusal(
                                        text,
                                        "the grid "
                                                + grid
                                                + " has no axis '"
                                                + Names.printable(name)
                                                + "'"));
    }

    private static Coordinate coordinate(int rank, int size, Axis axis, String text) {
        if (size < 1 || axis.size() % size != 0) {
            throw refusal(
                    text,
                    "a world size of "
                            + size
                            + " does not divide axis "
                            + axis
                            + "; legal sizes are "
                            + legalSizes(axis));
        }
        if (rank < 0 || rank >= size) {
            throw refusal(
                    text,
                    "rank " + rank + " is outside 0.." + (size - 1) + " of axis " + axis.name());
        }
        return new Coordinate(rank, size);
    }

    private static String legalSizes(Axis axis) {
        return IntStream.rangeClosed(1, axis.size())
                .filter(size -> axis.size() % size == 0)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
    }

    private static InvalidRequestException malformed(String text) {
        return refusal(text, "write AXIS=RANK/SIZE[,AXIS=RANK/SIZE...], such as dp=3/8,cp=0/2");
    }

    private static InvalidRequestException refusal(String text, String why) {
        return new InvalidRequestException("Invalid place '" + Names.printable(text) + "': " + why);
    }
}
