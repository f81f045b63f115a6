package io.batchweave.cli;

import io.batchweave.model.Setting;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import java.util.Locale;

/** Settings as they are typed: {@code max-lead=1000}. */
final class SettingText {
    private SettingText() {}

    static String of(Setting setting) {
        if (setting instanceof Retention retained) {
            return "retention=" + retained.policy().name().toLowerCase(Locale.ROOT);
        }
        if (setting instanceof KeepSteps kept) {
            return "keep-steps=" + kept.steps();
        }
        if (setting instanceof KeepFor kept) {
            return "keep-for=" + DurationConverter.text(kept.ms());
        }
        return "max-lead=" + ((MaxLead) setting).steps();
    }
}
