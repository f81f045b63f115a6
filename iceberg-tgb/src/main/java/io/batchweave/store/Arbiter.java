package io.batchweave.store;

/** Who decides which of many creates of one key is the one that is done. */
public enum Arbiter {
    /** Our code and the system it runs on, which are known. */
    SYSTEM,
    /** A server, which may be of any kind. */
    SERVER
}
