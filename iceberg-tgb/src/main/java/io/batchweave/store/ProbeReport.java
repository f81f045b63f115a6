package io.batchweave.store;

import java.util.List;
import java.util.Optional;

/**
 * What a store was seen to do, and what can be done on it.
 *
 * @param uri the store's
 * @param findings one for each check, in their order
 */
public record ProbeReport(String uri, List<Finding> findings) {
    public ProbeReport {
        findings = List.copyOf(findings);
    }

    /** What somebody may want to do on a store. */
    public enum Use {
        READ("read datasets"),
        WRITE("write datasets"),
        SWEEP("delete what is no longer needed");

        private final String text;

        Use(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A promise of {@link ObjectStore} that is tried, and for what it is needed. */
    public enum Check {
        CREATE("a create of a key that exists is refused"),
        UPLOAD("an upload in parts to a key that exists is refused"),
        CREATE_RACE("of creates of one key at the same time, one is done"),
        UPLOAD_RACE("of uploads in parts to one key at the same time, one is done"),
        READ("an object is read as soon as it is created, and in ranges"),
        LIST("an object is listed as soon as it is created"),
        DELETE("an object is gone as soon as it is deleted");

        private final String promise;

        Check(String promise) {
            this.promise = promise;
        }

        private boolean isNeededTo(Use use) {
            return switch (this) {
                case LIST -> true;
                case READ -> use != Use.SWEEP;
                case DELETE -> use == Use.SWEEP;
                default -> use == Use.WRITE;
            };
        }

        /** A sentence that is true of a store which keeps it. */
        public String promise() {
            return promise;
        }
    }

    /**
     * What became of a check.
     *
     * @param holds whether the store was seen to keep its promise, and not to break it
     * @param detail what was seen
     */
    public record Finding(Check check, boolean holds, String detail) {}

    /** The first finding that keeps somebody from a use. */
    public Optional<Finding> broken(Use use) {
        return findings.stream()
                .filter(finding -> !finding.holds() && finding.check().isNeededTo(use))
                .findFirst();
    }

    /** Whether the store is good for everything. */
    public boolean isFit() {
        return findings.stream().allMatch(Finding::holds);
    }
}
