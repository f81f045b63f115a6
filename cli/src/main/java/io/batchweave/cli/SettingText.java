package io.batchweave.cli;

import io.batchweave.errors.InvalidRequestException;
import io.batchweave.model.Names;
import io.batchweave.model.Setting;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import io.batchweave.state.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** Settings as they are typed: {@code max-lead=1000}. */
final class SettingText {
    private static final Set<String> FIXED =
            Set.of("grid", "schema", "producers", "features", "id", "name");

    private SettingText() {}

    static String of(Setting setting) {
        if (setting instanceof Retention retained) {
            return "retention=" + text(retained.policy());
        }
        if (setting instanceof KeepSteps kept) {
            return "keep-steps=" + kept.steps();
        }
        if (setting instanceof KeepFor kept) {
            return "keep-for=" + DurationConverter.text(kept.ms());
        }
        return "max-lead=" + ((MaxLead) setting).steps();
    }

    private static String text(RetentionPolicy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }

    /** All of them, one by one. */
    static List<Setting> all(Settings settings) {
        return List.of(
                new Retention(settings.retention()),
                new KeepSteps(settings.keepSteps()),
                new KeepFor(settings.keepFor().toMillis()),
                new MaxLead(settings.maxLead()));
    }

    static Map<String, Object> object(Settings settings) {
        return Output.object(
                "retention", text(settings.retention()),
                "keep_steps", settings.keepSteps(),
                "keep_for_ms", settings.keepFor().toMillis(),
                "max_lead", settings.maxLead());
    }

    static Setting parse(String text, String dataset) {
        String[] sides = text.split("=", 2);
        if (sides.length < 2) {
            throw refused(text, dataset, "write KEY=VALUE, such as max-lead=1000");
        }
        return switch (sides[0]) {
            case "retention" -> new Retention(policy(sides[1], text, dataset));
            case "keep-steps" -> new KeepSteps(number(sides[1], text, dataset));
            case "keep-for" -> new KeepFor(ms(sides[1], text, dataset));
            case "max-lead" -> new MaxLead(number(sides[1], text, dataset));
            default ->
                    throw refused(
                            sides[0],
                            dataset,
                            FIXED.contains(sides[0])
                                    ? "it is fixed when a dataset is created; make another dataset"
                                    : "there is no such setting; use retention, keep-steps, keep-for"
                                            + " or max-lead");
        };
    }

    private static RetentionPolicy policy(String value, String text, String dataset) {
        return Arrays.stream(RetentionPolicy.values())
                .filter(policy -> text(policy).equals(value))
                .findFirst()
                .orElseThrow(() -> refused(text, dataset, "use checkpoints or forever"));
    }

    private static long number(String value, String text, String dataset) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw refused(
                    text, dataset, "'" + Names.printable(value) + "' is no whole number in range");
        }
    }

    private static long ms(String value, String text, String dataset) {
        try {
            return value.equals("0") ? 0 : new DurationConverter().convert(value).toMillis();
        } catch (TypeConversionException e) {
            throw refused(text, dataset, e.getMessage());
        }
    }

    private static InvalidRequestException refused(String what, String dataset, String why) {
        return new InvalidRequestException(
                "Cannot alter " + Names.printable(what) + " of " + dataset + ": " + why);
    }
}
