package io.batchweave.store;

/** Whose clock the times in a store's answers are from. */
public enum Timekeeper {
    /** The store's, read after what was asked for had taken effect. */
    STORE,
    /** That of whoever asked: it says nothing about when anything took effect. */
    CALLER
}
