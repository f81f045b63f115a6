package io.batchweave.cli;

import picocli.CommandLine.IVersionProvider;

/** Tells the version that this jar was built as. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"batchweave " + number()};
    }

    /** Such as {@code 1.2.0}; {@code development} where it runs from no jar. */
    static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
