package io.batchweave.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes in bytes such as {@code 64m}, {@code 8g} or {@code 1048576}. */
final class SizeConverter implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})([kmgt]?)");
    private static final String UNITS = "kmgt";

    @Override
    public Long convert(String text) {
        Matcher parts = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
            throw new TypeConversionException(
                    "'" + text + "' is no size; write 512m, 8g or a number of bytes");
        }
        int unit = parts.group(2).isEmpty() ? 0 : UNITS.indexOf(parts.group(2)) + 1;
        return Math.multiplyExact(Long.parseLong(parts.group(1)), 1L << (10 * unit));
    }
}
