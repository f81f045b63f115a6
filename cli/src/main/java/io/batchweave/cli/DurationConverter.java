package io.batchweave.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h} or {@code 7d}. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of(
                    "ms", ChronoUnit.MILLIS,
                    "s", ChronoUnit.SECONDS,
                    "m", ChronoUnit.MINUTES,
                    "h", ChronoUnit.HOURS,
                    "d", ChronoUnit.DAYS);
    private static final List<String> LONGEST_FIRST = List.of("d", "h", "m", "s");

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'"
                            + text
                            + "' is no duration; write up to nine digits and a unit, such as 500ms, 30s, 5m, 2h or 7d");
        }
        return Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)));
    }

    /** A duration as it is typed, in the longest unit that says it exactly. */
    static String text(long ms) {
        return LONGEST_FIRST.stream()
                .filter(unit -> ms > 0 && ms % millis(unit) == 0)
                .findFirst()
                .map(unit -> ms / millis(unit) + unit)
                .orElse(ms + "ms");
    }

    private static long millis(String unit) {
        return UNITS.get(unit).getDuration().toMillis();
    }
}
