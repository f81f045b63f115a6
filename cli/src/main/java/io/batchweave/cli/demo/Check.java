package io.batchweave.cli.demo;

/**
 * One thing that was checked.
 *
 * @param name for programs
 * @param text for people
 * @param holds whether it is so
 * @param detail what was looked at
 */
public record Check(String name, String text, boolean holds, String detail) {}
