package io.batchweave.cli;

import picocli.CommandLine.IVersionProvider;

/** Tells the version that this jar was built as. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"batchweave " + (version == null ? "development" : version)};
    }
}
