package io.batchweave.house;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is checked by reading the sources. */
class SourceFilesTest {
    private static final int LINES_MAX = 400;
    private static final Pattern RETURN_NULL = Pattern.compile("\\breturn null;");
    private static final Pattern LATER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern SILENCED = Pattern.compile("@(Disabled|Ignore)\\b");

    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("public (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) .*");

    @Test
    void filesHaveOneReasonToChange() {
        Breaches.assertNone(
                "A file of more than " + LINES_MAX + " lines. Ask what it is two of:",
                Repository.javaFiles().stream()
                        .filter(file -> lines(file) > LINES_MAX)
                        .map(file -> Repository.name(file) + ": " + lines(file) + " lines"));
    }

    @Test
    void publicTypesSayWhatTheyAre() {
        Breaches.assertNone(
                "A public type without Javadoc. Say in a sentence what it is:",
                Repository.mainFiles().stream()
                        .filter(SourceFilesTest::hasBarePublicType)
                        .map(Repository::name));
    }

    @Test
    void packagesSayWhatTheyAreFor() {
        Breaches.assertNone(
                "A package without package-info.java. Say there in a sentence what it is for:",
                Repository.mainFiles().stream()
                        .map(Path::getParent)
                        .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                        .map(Repository::name));
    }

    @Test
    void nothingReturnsNull() {
        Breaches.assertNone(
                "A null that somebody must remember to check:",
                Repository.mainFiles().stream()
                        .flatMap(
                                file ->
                                        Repository.breaches(
                                                file,
                                                RETURN_NULL,
                                                "return an Optional, an empty collection, or a"
                                                        + " record that says what happened")));
    }

    @Test
    void nothingIsLeftForLater() {
        Breaches.assertNone(
                "A note about work that is not done:",
                Stream.of(".java", ".md", ".avsc", ".py", ".xml", ".yml", ".sh")
                        .flatMap(ending -> Repository.files(ending).stream())
                        .flatMap(
                                file ->
                                        Repository.breaches(
                                                file,
                                                LATER,
                                                "do it now, or leave it out and say nothing")));
    }

    @Test
    void noTestIsSwitchedOff() {
        Breaches.assertNone(
                "A test that is switched off:",
                Repository.javaFiles().stream()
                        .flatMap(
                                file ->
                                        Repository.breaches(
                                                file,
                                                SILENCED,
                                                "mend it or delete it; what the machine may lack is"
                                                        + " asked for by Require.that")));
    }

    /** Between a type and its Javadoc there are annotations at most, and no empty line. */
    private static boolean hasBarePublicType(Path file) {
        String above = "";
        for (String line : Repository.read(file).lines().toList()) {
            if (PUBLIC_TYPE.matcher(line).matches() && !above.endsWith("*/")) {
                return true;
            }
            boolean ends = line.isBlank() || line.endsWith("*/");
            above = ends ? line : above;
        }
        return false;
    }

    private static long lines(Path file) {
        return Repository.read(file).lines().count();
    }
}
