package io.batchweave.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The README of this checkout. */
final class Readme {
    static final Path ROOT = Path.of(System.getProperty("repository.root"));

    private Readme() {}

    static String text() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }

    /** What stands under a heading for people to type, block by block. */
    static List<String> shell(String heading) throws IOException {
        return blocks("sh", heading);
    }

    /** What stands under a heading in some language, block by block. */
    static List<String> blocks(String language, String heading) throws IOException {
        String text = text();
        int start = text.indexOf("\n## " + heading + "\n");
        int end = text.indexOf("\n## ", start + 1);
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(text.substring(start, end))
                .results()
                .map(block -> block.group(1))
                .toList();
    }
}
