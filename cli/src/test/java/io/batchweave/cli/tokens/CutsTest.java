package io.batchweave.cli.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.inputs.Nasty;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tokens of the parts are the tokens of the whole, in every encoding there is. */
class CutsTest {
    private static final List<Tokenizer> TOKENIZERS =
            Tokenizer.names().stream().map(Tokenizer::named).toList();

    static List<Tokenizer> tokenizers() {
        return TOKENIZERS;
    }

    /**
     * A cut depends on what stands near it: every text of up to four characters, one for each way
     * in which the encodings' patterns treat a character, at every cut.
     */
    @ParameterizedTest
    @MethodSource("tokenizers")
    void everyShortTextMayBeCut(Tokenizer tokenizer) {
        for (int length = 2; length <= 4; length++) {
            eachText(length, "", text -> assertCutsAreSafe(tokenizer, text));
        }
    }

    @Property(tries = 2_000)
    void everyCutOfNastyTextIsSafe(@ForAll("nastyTexts") String text) {
        for (Tokenizer tokenizer : TOKENIZERS) {
            assertCutsAreSafe(tokenizer, text);
        }
    }

    @Property(tries = 500)
    void everyCutOfAnyTextIsSafe(@ForAll("anyTexts") String text) {
        for (Tokenizer tokenizer : TOKENIZERS) {
            assertCutsAreSafe(tokenizer, text);
        }
    }

    @Test
    void ordinaryTextHasCutsAtItsWordsEnds() {
        String text = "It's 12 o'clock; don't\npanic.";
        String shown =
                IntStream.range(0, text.length())
                        .mapToObj(at -> (isCut(text, at) ? "|" : "") + text.charAt(at))
                        .collect(Collectors.joining());

        assertThat(shown).isEqualTo("It's| 12| o'clock|; don't|\npanic|.");
    }

    @Test
    void theLastCutWithinTheBoundsIsFound() {
        String text = "one two three four";

        assertThat(Cuts.last(text, 0, text.length())).hasValue(13);
        assertThat(Cuts.last(text, 0, 13)).hasValue(7);
        assertThat(Cuts.last(text, 7, 13)).isEmpty();
        assertThat(Cuts.last("", 0, 0)).isEmpty();
    }

    @Test
    void surrogatePairsStayWhole() {
        String text = "a\uD83D\uDE00b\uD835\uDC00c";

        assertThat(cuts(text)).isEmpty();
    }

    @Provide
    Arbitrary<String> nastyTexts() {
        return Arbitraries.of(Nasty.CHARACTERS)
                .list()
                .ofMinSize(2)
                .ofMaxSize(60)
                .map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> anyTexts() {
        return Arbitraries.strings().ofMaxLength(60).map(Nasty::withoutLoneSurrogates);
    }

    private static void assertCutsAreSafe(Tokenizer tokenizer, String text) {
        int[] whole = tokenizer.encode(text);
        List<Integer> cuts = cuts(text);
        for (int cut : cuts) {
            assertThat(encodeParts(tokenizer, text, List.of(cut)))
                    .as("'%s' cut at %d", text, cut)
                    .isEqualTo(whole);
        }
        assertThat(encodeParts(tokenizer, text, cuts))
                .as("'%s' at all cuts", text)
                .isEqualTo(whole);
    }

    private static int[] encodeParts(Tokenizer tokenizer, String text, List<Integer> cuts) {
        IntStream.Builder tokens = IntStream.builder();
        int from = 0;
        List<Integer> ends = new ArrayList<>(cuts);
        ends.add(text.length());
        for (int end : ends) {
            for (int token : tokenizer.encode(text.substring(from, end))) {
                tokens.add(token);
            }
            from = end;
        }
        return tokens.build().toArray();
    }

    private static List<Integer> cuts(String text) {
        return IntStream.range(1, text.length()).filter(at -> isCut(text, at)).boxed().toList();
    }

    private static boolean isCut(String text, int at) {
        return at > 0 && Cuts.last(text, at - 1, at + 1).equals(OptionalInt.of(at));
    }

    private static void eachText(int length, String start, Consumer<String> visitor) {
        if (length == 0) {
            visitor.accept(start);
            return;
        }
        for (String next : Nasty.CLASSES) {
            eachText(length - 1, start + next, visitor);
        }
    }
}
