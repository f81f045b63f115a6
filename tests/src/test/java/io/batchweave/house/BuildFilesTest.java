package io.batchweave.house;

import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the build may contain, and that the rules see all of it. */
class BuildFilesTest {
    private static final Pattern MOCKS =
            Pattern.compile("mockito|easymock|jmock|powermock|mockk|wiremock|mockserver");
    private static final String OWN_MODULE = "tests";

    @Test
    void noMocksAreUsed() {
        Breaches.assertNone(
                "A mock repeats what its author believed. Write a fake that keeps the contract, and"
                        + " run the contract's own tests against it:",
                Repository.files("pom.xml").stream()
                        .flatMap(
                                file ->
                                        Repository.breaches(
                                                file, MOCKS, "remove the mocking library")));
    }

    @Test
    void theRulesSeeEveryModule() {
        Breaches.assertNone(
                "A module is built after the rules, or not at all. Let tests/pom.xml depend on it:",
                Repository.modules().stream()
                        .filter(module -> !module.equals(OWN_MODULE))
                        .filter(
                                module ->
                                        Files.isDirectory(
                                                Repository.root().resolve(module).resolve("src")))
                        .filter(
                                module ->
                                        !Files.isDirectory(
                                                Repository.root()
                                                        .resolve(module)
                                                        .resolve("target/classes"))));
    }
}
