package io.batchweave.house;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is written for people stays true. */
class DocumentsTest {
    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*|#.*");

    @Test
    void linksLeadSomewhere() {
        Breaches.assertNone(
                "A link to a file that is not there:",
                Repository.files(".md").stream().flatMap(DocumentsTest::brokenLinks));
    }

    private static Stream<String> brokenLinks(Path document) {
        String prose = FENCED.matcher(Repository.read(document)).replaceAll("");
        return LINK.matcher(prose)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !ELSEWHERE.matcher(link).matches())
                .filter(link -> !Files.exists(document.resolveSibling(link.replaceAll("#.*", ""))))
                .map(link -> Repository.name(document) + ": " + link);
    }
}
