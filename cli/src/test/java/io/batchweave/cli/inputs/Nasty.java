package io.batchweave.cli.inputs;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Text that tokenizers and readers stumble over. */
public final class Nasty {
    /** One character for each way in which an encoding's pattern treats it. */
    public static final List<String> CLASSES =
            List.of(
                    "a",
                    "S",
                    "é",
                    "ǅ",
                    "ʰ",
                    "字",
                    "\u0301",
                    "\u0903",
                    "7",
                    "½",
                    "Ⅷ",
                    "'",
                    "!",
                    "/",
                    " ",
                    "\n",
                    "\r",
                    "\t",
                    "\u00A0",
                    "\u200D",
                    "\uD83D\uDE00",
                    "\uD835\uDC00");

    /** More of them, and pieces that the patterns know as a whole. */
    public static final List<String> CHARACTERS =
            Stream.concat(
                            CLASSES.stream(),
                            Stream.of(
                                    "'s",
                                    "'LL",
                                    "'ve",
                                    "'ſ",
                                    "n't",
                                    "l",
                                    "ve",
                                    "re",
                                    "d",
                                    "ſ",
                                    "K",
                                    "ß",
                                    "हि",
                                    "ำ",
                                    "12",
                                    "345",
                                    "\uD835\uDFCE",
                                    "²",
                                    "٣",
                                    "\n\n",
                                    "\r\n",
                                    "  ",
                                    "   ",
                                    "\u0085",
                                    "\u2028",
                                    "\u3000",
                                    "\u000B",
                                    "\u0000",
                                    "\u200B",
                                    "\uFEFF",
                                    "...",
                                    "//",
                                    "/\n",
                                    "!\n",
                                    "<|endoftext|>",
                                    "«",
                                    "“",
                                    "’",
                                    "_",
                                    "\u0378",
                                    "\uE000",
                                    "\uFFFF",
                                    " the",
                                    "Hello",
                                    " World"))
                    .toList();

    private Nasty() {}

    /** About {@code chars} characters, the same for the same seed. */
    public static String text(long seed, int chars) {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder();
        while (text.length() < chars) {
            text.append(CHARACTERS.get(random.nextInt(CHARACTERS.size())));
        }
        return text.toString();
    }

    public static String withoutLoneSurrogates(String text) {
        StringBuilder whole = new StringBuilder();
        text.codePoints()
                .filter(c -> c > Character.MAX_VALUE || !Character.isSurrogate((char) c))
                .forEach(whole::appendCodePoint);
        return whole.toString();
    }
}
