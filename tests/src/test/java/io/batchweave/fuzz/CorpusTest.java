package io.batchweave.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What was found once is found no more. */
class CorpusTest {
    @ParameterizedTest
    @MethodSource("io.batchweave.fuzz.Target#all")
    void noInputThatIsKeptFindsAnything(Target target) {
        assertThat(target.corpus()).as("inputs in " + target.corpusFolder()).isNotEmpty();
        target.corpus()
                .forEach(
                        file ->
                                assertThatCode(() -> target.run(Target.read(file)))
                                        .as(file.toString())
                                        .doesNotThrowAnyException());
    }

    @ParameterizedTest
    @MethodSource("io.batchweave.fuzz.Target#all")
    void noSeedFindsAnything(Target target) {
        assertThat(target.seeds().get()).isNotEmpty();
        target.seeds().get().forEach(target::run);
    }
}
