package io.batchweave.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private final Locale before = Locale.getDefault();
    private final Layout layout = new Layout(DatasetName.parse("train.pretrain"));

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(before);
    }

    @Test
    @Tag("LAYOUT-1")
    void commitsLieInFoldersOf4096() {
        assertThat(layout.commit(0))
                .isEqualTo("train/pretrain/log/00000000000000000000/00000000000000000000");
        assertThat(layout.commit(4_095))
                .isEqualTo("train/pretrain/log/00000000000000000000/00000000000000004095");
        assertThat(layout.commit(4_096))
                .isEqualTo("train/pretrain/log/00000000000000000001/00000000000000004096");
        assertThat(layout.commit(Long.MAX_VALUE))
                .isEqualTo("train/pretrain/log/00002251799813685247/09223372036854775807");
    }

    @Test
    @Tag("LAYOUT-1")
    void payloadLiesUnderProducerEpochAndSequence() {
        Claim claim = new Claim("p.7", 12, 8_193);

        assertThat(layout.part(claim, 0))
                .isEqualTo(
                        "train/pretrain/data/p.7/00000000000000000012/00000000000000000002"
                                + "/00000000000000008193.arrow");
        assertThat(layout.part(claim, 1))
                .isEqualTo(
                        "train/pretrain/data/p.7/00000000000000000012/00000000000000000002"
                                + "/00000000000000008193-1.arrow");
        assertThat(layout.part(claim, 12)).endsWith("8193-12.arrow");
    }

    @Test
    void claimIsReadFromThePartsItNames() {
        Claim claim = new Claim("p.7", 12, 8_193);

        assertThat(layout.claim(layout.part(claim, 0))).contains(claim);
        assertThat(layout.claim(layout.part(claim, 12))).contains(claim);
    }

    @Test
    void whatIsNoPartHasNoClaim() {
        String part = layout.part(new Claim("p", 1, 2), 3);

        assertThat(
                        List.of(
                                part + ".tmp",
                                part.replace("-3.arrow", "-.arrow"),
                                part.replace("-3.arrow", "-3"),
                                part.replace("00000000000000000001", "1"),
                                part.replace("/p/", "/.p/"),
                                part.replace("/p/", "/p/q/"),
                                part.replace("/data/", "/log/"),
                                layout.payload()))
                .allSatisfy(key -> assertThat(layout.claim(key)).isEmpty());
    }

    @Test
    void numbersAreReadFromNames() {
        String most = Layout.padded(999_999_999_999_999_999L);

        assertThat(Layout.number(layout.commit(4_096))).contains(4_096L);
        assertThat(Layout.number(Layout.padded(0))).contains(0L);
        assertThat(Layout.number("a/" + most)).contains(999_999_999_999_999_999L);
        assertThat(Layout.numbers(layout.boundary(63, Instant.ofEpochMilli(17))))
                .containsExactly(63L, 17L);
        assertThat(Layout.number(layout.segment(0, 9))).as("of two numbers").isEmpty();
    }

    @Test
    void otherNamesHaveNoNumber() {
        String seven = Layout.padded(7);

        assertThat(
                        List.of(
                                "",
                                "7",
                                "0" + seven,
                                seven.substring(1),
                                "9" + seven.substring(1),
                                seven + "-",
                                "-" + seven,
                                seven + ".crc",
                                seven + "/",
                                "\u0660" + seven.substring(1)))
                .allSatisfy(name -> assertThat(Layout.numbers(name)).isEmpty());
    }

    @Test
    void foldersAreNamedForWhatTheyHold() {
        assertThat(layout.root()).isEqualTo("train/pretrain");
        assertThat(layout.commits()).isEqualTo("train/pretrain/log");
        assertThat(layout.payload()).isEqualTo("train/pretrain/data");
        assertThat(layout.probe("7")).isEqualTo("train/pretrain/probe/7");
    }

    @Test
    void namesSortAsTheNumbersCount() {
        assertThat(Layout.padded(9)).isLessThan(Layout.padded(10));
        assertThat(Layout.padded(999_999)).isLessThan(Layout.padded(1_000_000));
        assertThat(Layout.padded(0)).hasSize(20);
        assertThat(Layout.padded(Long.MAX_VALUE)).hasSize(20);
    }

    /** Two hosts that disagreed on this would write two logs. */
    @Test
    void keysAreTheSameInEveryLocale() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

        assertThat(layout.commit(42))
                .isEqualTo("train/pretrain/log/00000000000000000000/00000000000000000042");
        assertThat(layout.part(new Claim("p", 1, 2), 3))
                .isEqualTo(
                        "train/pretrain/data/p/00000000000000000001/00000000000000000000"
                                + "/00000000000000000002-3.arrow");
    }

    @Test
    void negativeNumbersHaveNoName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.commit(-1))
                .withMessageStartingWith("Invalid number ");
        assertThatIllegalArgumentException().isThrownBy(() -> Layout.padded(-1));
    }
}
