package io.batchweave.steps;

import io.batchweave.model.Setting;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.state.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Settings of a dataset by the names that they have in tables. */
final class SettingNames {
    private SettingNames() {}

    static Map<String, String> of(List<Setting> settings) {
        Map<String, String> named = new TreeMap<>();
        for (Setting setting : settings) {
            if (setting instanceof Retention retained) {
                named.put("retention", retained.policy().name().toLowerCase(Locale.ROOT));
            } else if (setting instanceof KeepSteps kept) {
                named.put("keep-steps", Long.toString(kept.steps()));
            } else if (setting instanceof KeepFor kept) {
                named.put("keep-for-ms", Long.toString(kept.ms()));
            } else {
                named.put("max-lead", Long.toString(((MaxLead) setting).steps()));
            }
        }
        return named;
    }

    /** All of them. */
    static Map<String, String> of(Settings settings) {
        return of(
                List.of(
                        new Retention(settings.retention()),
                        new KeepSteps(settings.keepSteps()),
                        new KeepFor(settings.keepFor().toMillis()),
                        new MaxLead(settings.maxLead())));
    }
}
