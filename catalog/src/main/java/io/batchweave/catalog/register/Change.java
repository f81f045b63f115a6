package io.batchweave.catalog.register;

/** How a change came out. */
public sealed interface Change {

    /** It is in, whatever may have been put above it since. */
    record Made(Version version) implements Change {}

    /** It certainly is not in, and will not come. */
    record Lost(String why) implements Change {}

    /** It may be in, or still come. */
    record Unknown(String why, Exception cause) implements Change {}
}
