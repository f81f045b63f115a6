package io.batchweave.protocol;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol model keeps its promises, and needs each of its rules for that.
 *
 * <p>What is searched is read from the tables of the model's README, so that they stay true.
 */
class ProtocolModelIT {
    private static final int PROCESSES = 2;
    private static final Path HOME =
            Path.of(System.getProperty("repository.root"), "format-spec/model");
    private static final Spin SPIN = new Spin(HOME.resolve("batchweave.pml"));

    private static final Pattern CAST = Pattern.compile("(?m)^\\| `([A-Z]+)` \\|");
    private static final Pattern LEFT_OUT =
            Pattern.compile("(?m)^\\| `(WITHOUT_\\w+)` \\|.*\\| `([A-Z]+)` \\| ([A-Z]+-\\d+) \\|$");
    private static final Pattern SWITCH = Pattern.compile("\\b(WITHOUT_\\w+)");
    private static final Pattern PROMISE = Pattern.compile("(?m)^bool ([A-Z]+_\\d+) = true;");
    private static final Pattern STORY = Pattern.compile("printf\\(\"(.*?)\\\\n\"");

    private static final Map<List<String>, Search> SEARCHES = new ConcurrentHashMap<>();

    /** A rule that is left out, in a cast, and the promise that is broken then. */
    record LeftOut(String rule, String cast, String promise) {
        List<String> definitions() {
            return List.of(cast, rule);
        }

        /** What breaks is near, but where time passes too much is as near. */
        List<String> options() {
            return cast.equals("CLOCK") ? List.of("-O0") : List.of("-O0", "-DBFS");
        }
    }

    @BeforeAll
    static void search(@TempDir Path work) {
        Spin.require();
        Map<List<String>, List<String>> wanted = new LinkedHashMap<>();
        casts().forEach(cast -> wanted.put(List.of(cast), List.of("-O1")));
        leftOut().forEach(without -> wanted.put(without.definitions(), without.options()));
        ExecutorService processes = Executors.newFixedThreadPool(PROCESSES);
        List<CompletableFuture<Void>> searches = new ArrayList<>();
        wanted.forEach(
                (definitions, options) ->
                        searches.add(
                                runAsync(() -> search(work, options, definitions), processes)));
        searches.forEach(CompletableFuture::join);
        processes.shutdown();
    }

    private static void search(Path work, List<String> options, List<String> definitions) {
        try {
            Path own = Files.createDirectory(work.resolve(String.join("-", definitions)));
            SEARCHES.put(definitions, SPIN.search(own, options, definitions));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<String> casts() {
        return readme(CAST).map(row -> row.group(1));
    }

    static Stream<LeftOut> leftOut() {
        return readme(LEFT_OUT).map(row -> new LeftOut(row.group(1), row.group(2), row.group(3)));
    }

    @ParameterizedTest
    @MethodSource("casts")
    @Tag("SWEEP-1")
    @Tag("SWEEP-2")
    @Tag("SWEEP-4")
    void everyPromiseIsKept(String cast) {
        Search search = SEARCHES.get(List.of(cast));
        assertThat(search.holds()).as("%s", search.printed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("leftOut")
    void everyRuleIsNeeded(LeftOut without) {
        Search search = SEARCHES.get(without.definitions());
        assertThat(search.broken()).as("%s", search.printed()).hasValue(name(without.promise()));
    }

    @Test
    void everyPromiseCanBeBroken() {
        assertThat(leftOut().map(LeftOut::promise).map(ProtocolModelIT::name))
                .containsAll(model(PROMISE));
    }

    @Test
    void everyRuleThatCanBeLeftOutIsInTheTable() {
        assertThat(leftOut().map(LeftOut::rule)).containsExactlyInAnyOrderElementsOf(model(SWITCH));
    }

    /** A promise that nothing comes near is not tried: each thing that is told must happen. */
    @Test
    void everyLineOfTheStoryHappens() {
        assertThat(casts().flatMap(cast -> SEARCHES.get(List.of(cast)).happens().stream()))
                .containsAll(model(STORY));
    }

    /** The name of an assertion in the model, where names have no hyphens. */
    private static String name(String promise) {
        return promise.replace('-', '_');
    }

    private static Stream<MatchResult> readme(Pattern row) {
        try {
            return row.matcher(Files.readString(HOME.resolve("README.md"))).results();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> model(Pattern pattern) {
        return pattern.matcher(SPIN.text())
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
