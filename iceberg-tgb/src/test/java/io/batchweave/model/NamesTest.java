package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final String LONGEST = "n".repeat(128);

    static String[] neverNames() {
        return new String[] {
            "",
            ".",
            "..",
            "../up",
            "a/b",
            "/a",
            "a\\b",
            "a b",
            " a",
            "a ",
            "a\n",
            "a\tb",
            "a\u0000",
            "-a",
            "_a",
            ".a",
            "a%2Fb",
            "a:b",
            "a*",
            "a=b",
            "naïve",
            "数据",
            "a\u202eb",
            "\u0661",
            LONGEST + "n",
        };
    }

    @ParameterizedTest
    @MethodSource("neverNames")
    @Tag("LAYOUT-2")
    void whatCouldLeaveItsFolderIsNoName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkPathPart("producer", name))
                .withMessageStartingWith("Invalid name of a producer '");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkTablePart("dataset", name))
                .withMessageStartingWith("Invalid name of a dataset '");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "7", "A-1_b", "a-", "a_", "0000"})
    void lettersDigitsDashesAndUnderscoresMakeAnyName(String name) {
        assertThat(Names.checkPathPart("producer", name)).isEqualTo(name);
        assertThat(Names.checkTablePart("dataset", name)).isEqualTo(name);
    }

    @Test
    void longestNameHas128Characters() {
        assertThat(Names.checkPathPart("producer", LONGEST)).hasSize(128);
        assertThat(Names.checkTablePart("dataset", LONGEST)).hasSize(128);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-1.example.org", "a..b", "v1.2"})
    void dotsStandInsidePathPartsAndNotInTableParts(String name) {
        assertThat(Names.checkPathPart("producer", name)).isEqualTo(name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkTablePart("dataset", name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.", "a..", "host.example.org."})
    void dotAtTheEndIsRefusedBecauseSomeStoresDropIt(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkPathPart("producer", name))
                .withMessageContaining("not ending with '.'");
    }

    @Test
    void messageSpellsOutWhatWouldNotPrint() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkPathPart("producer", "a\n\u202eb\u2028\u2029\ud800"))
                .withMessage(
                        "Invalid name of a producer 'a\\u000a\\u202eb\\u2028\\u2029\\ud800': use 1 to"
                                + " 128 letters, digits, '_', '-' or '.', starting with a letter or"
                                + " digit and not ending with '.'");
    }

    @Test
    void messageShowsWhatPrintsAsItIs() {
        assertThat(Names.printable("a b/数据 é 😀")).isEqualTo("a b/数据 é 😀");
    }

    @Test
    void messageShowsEightyCharactersAndSaysThatThereAreMore() {
        assertThat(Names.printable("x".repeat(81))).isEqualTo("x".repeat(80) + "...");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "7",
                "00000000-0000-0000-0000-00000000000",
                "00000000-0000-0000-0000-00000000000G",
                "1-1-1-1-1",
                "ABCDEF00-0000-0000-0000-000000000000",
                "00000000-0000-0000-0000-000000000000\n",
                "000000000000000000000000000000000000",
            })
    void idIsALowerCaseUuid(String id) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.checkId("opening", id))
                .withMessageStartingWith("Invalid id of a opening '")
                .withMessageEndingWith("': use a UUID in lower-case digits");
        String good = "0123abcd-4567-89ef-0000-ffffffffffff";
        assertThat(Names.checkId("opening", good)).isEqualTo(good);
    }
}
