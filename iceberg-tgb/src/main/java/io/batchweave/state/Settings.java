package io.batchweave.state;

import io.batchweave.model.Setting;
import io.batchweave.model.Setting.KeepFor;
import io.batchweave.model.Setting.KeepSteps;
import io.batchweave.model.Setting.MaxLead;
import io.batchweave.model.Setting.Retention;
import io.batchweave.model.Setting.RetentionPolicy;
import java.time.Duration;
import java.util.List;

/**
 * What of a dataset may change while it is in use.
 *
 * @param keepSteps the newest steps that are kept whatever jobs need; 0: none on that account
 * @param keepFor the age up to which steps are kept whatever jobs need; zero: none on that account
 * @param maxLead how many steps producers may be ahead of the slowest job; 0: any number
 */
public record Settings(RetentionPolicy retention, long keepSteps, Duration keepFor, long maxLead) {
    public static final Settings DEFAULT =
            new Settings(RetentionPolicy.CHECKPOINTS, 0, Duration.ZERO, 0);

    /** These, and what they do not say as before. */
    Settings with(List<Setting> changes) {
        Settings changed = this;
        for (Setting change : changes) {
            changed = changed.with(change);
        }
        return changed;
    }

    private Settings with(Setting change) {
        if (change instanceof Retention retained) {
            return new Settings(retained.policy(), keepSteps, keepFor, maxLead);
        }
        if (change instanceof KeepSteps kept) {
            return new Settings(retention, kept.steps(), keepFor, maxLead);
        }
        if (change instanceof KeepFor kept) {
            return new Settings(retention, keepSteps, Duration.ofMillis(kept.ms()), maxLead);
        }
        return new Settings(retention, keepSteps, keepFor, ((MaxLead) change).steps());
    }
}
