package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetNameTest {
    @Test
    void parsedNameIsPrintedAsItWasWritten() {
        DatasetName name = DatasetName.parse("train.pretrain-v2");

        assertThat(name).isEqualTo(new DatasetName("train", "pretrain-v2"));
        assertThat(name).hasToString("train.pretrain-v2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pretrain", "", "train/pretrain"})
    void textWithoutADotIsAnsweredWithTheForm(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatasetName.parse(text))
                .withMessage(
                        "Invalid dataset '"
                                + text
                                + "': write NAMESPACE.NAME, such as train.pretrain");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".pretrain", "train.", "a.b.c", "train..x", "a b.c", "../x.y"})
    void bothSidesOfTheDotAreNames(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> DatasetName.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a_steps", "a_events", "a_Steps", "a_EVENTS"})
    @Tag("LAYOUT-2")
    void endingsOfTheViewsAreTakenInEitherCase(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DatasetName("train", name))
                .withMessage(
                        "Invalid name of a dataset '"
                                + name
                                + "': the endings _steps and _events belong to its views");
    }

    @ParameterizedTest
    @ValueSource(strings = {"steps", "events", "a_steps_b", "asteps"})
    void endingsAloneOrElsewhereAreFree(String name) {
        assertThat(new DatasetName("train_steps", name).name()).isEqualTo(name);
    }
}
