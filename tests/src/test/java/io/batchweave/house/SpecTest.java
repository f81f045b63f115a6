package io.batchweave.house;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every rule of the format is proved by a test that names it. */
class SpecTest {
    private static final Path SPEC = Repository.root().resolve("format-spec/spec.md");

    /** A rule's id stands in bold or begins an item of a list. */
    private static final Pattern RULE =
            Pattern.compile("(?m)(?:\\*\\*|^ *(?:[-*]|\\d+\\.) +)([A-Z]+-\\d+)\\b");

    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([A-Z]+-\\d+)\"\\)");

    @Test
    void everyRuleIsNamedByATest() {
        Set<String> tags = tags();
        Breaches.assertNone(
                "A rule of format-spec/spec.md without a test. Mark the test that proves it, for"
                        + " example @Tag(\"LOG-3\"):",
                rules().stream().filter(rule -> !tags.contains(rule)));
    }

    @Test
    void everyTagNamesARule() {
        Set<String> rules = rules();
        Breaches.assertNone(
                "A test names a rule that format-spec/spec.md does not have. Mend the tag, or write"
                        + " the rule down:",
                tags().stream().filter(tag -> !rules.contains(tag)));
    }

    private static Set<String> rules() {
        return ids(RULE, List.of(SPEC));
    }

    private static Set<String> tags() {
        return ids(TAG, Repository.javaFiles());
    }

    private static Set<String> ids(Pattern pattern, List<Path> files) {
        return files.stream()
                .flatMap(file -> pattern.matcher(Repository.read(file)).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
