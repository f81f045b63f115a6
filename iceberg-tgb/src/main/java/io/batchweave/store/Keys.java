package io.batchweave.store;

import java.util.regex.Pattern;

/**
 * What can be a key: names joined by slashes, such as {@code train/pretrain/log/00/07}.
 *
 * <p>The rule is that of the strictest store, so that a dataset can be copied anywhere. A name that
 * starts with a dot is no key's, which leaves such names to the stores themselves and keeps {@code
 * ..} out.
 */
public final class Keys {
    /** Bytes of the longest key; S3 has this limit. */
    public static final int LENGTH_MAX = 1_024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.=-]{0,254}");

    private Keys() {}

    /**
     * Returns the key if it is one.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String check(String key) {
        if (key.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "Invalid key of %d characters: use at most %d"
                            .formatted(key.length(), LENGTH_MAX));
        }
        for (String name : key.split("/", -1)) {
            if (!isName(name)) {
                throw new IllegalArgumentException(
                        ("Invalid key '%s': use names of 1 to 255 letters, digits, '_', '-', '=' or"
                                        + " '.', not starting with '-', '=' or '.', joined by '/'")
                                .formatted(printable(key)));
            }
        }
        return key;
    }

    /**
     * Returns the folder if it is a key or empty, which is the whole space.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public static String checkFolder(String folder) {
        return folder.isEmpty() ? folder : check(folder);
    }

    /** Whether this can stand between the slashes of a key. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether something of this name is told of though no key leads to it. */
    public static boolean isOther(String name) {
        return !isName(name) && !name.startsWith(".");
    }

    /** What every key in a folder starts with: nothing, or the folder and a slash. */
    public static String prefix(String folder) {
        return folder.isEmpty() ? "" : folder + "/";
    }

    private static String printable(String key) {
        return key.codePoints()
                .map(c -> c < ' ' || c > '~' ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
