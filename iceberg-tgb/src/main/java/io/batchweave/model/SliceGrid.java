package io.batchweave.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shape of a global batch: named axes, slowest first. Slices are numbered row-major over it.
 */
public record SliceGrid(List<Axis> axes) {
    /** Most slices a global batch may have. */
    public static final int SLICES_MAX = 65_536;

    public SliceGrid {
        axes = List.copyOf(axes);
        if (axes.isEmpty()) {
            throw new IllegalArgumentException(
                    "Invalid grid: it needs at least one axis, such as dp=8");
        }
        Names.checkDistinct("grid", "axis", axes.stream().map(Axis::name).toList());
        long slices = 1;
        for (Axis axis : axes) {
            slices *= axis.size();
            if (slices > SLICES_MAX) {
                throw new IllegalArgumentException(
                        "Invalid grid "
                                + Names.printable(text(axes))
                                + ": more than "
                                + SLICES_MAX
                                + " slices");
            }
        }
    }

    /** Reads {@code dp=8,cp=2}. */
    public static SliceGrid parse(String text) {
        List<Axis> axes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String[] sides = part.split("=", -1);
            if (sides.length != 2) {
                throw malformed(text);
            }
            try {
                axes.add(new Axis(sides[0].strip(), Integer.parseInt(sides[1].strip())));
            } catch (NumberFormatException e) {
                throw malformed(text);
            }
        }
        return new SliceGrid(axes);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "Invalid grid '"
                        + Names.printable(text)
                        + "': write AXIS=SIZE[,AXIS=SIZE...], such as dp=8,cp=2");
    }

    /** Slices in a global batch. */
    public int slices() {
        return axes.stream().mapToInt(Axis::size).reduce(1, Math::multiplyExact);
    }

    private static String text(List<Axis> axes) {
        return axes.stream().map(Axis::toString).collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return text(axes);
    }
}
