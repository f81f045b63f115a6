package io.batchweave.cli.tokens;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.IntArrayList;
import io.batchweave.cli.inputs.Nasty;
import io.batchweave.errors.InvalidRequestException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenizerTest {
    static List<String> names() {
        return Tokenizer.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theSeparatorIsTheVocabularysEndOfText(String name) {
        assertThat(decoded(name, Tokenizer.named(name).separator())).isEqualTo("<|endoftext|>");
    }

    @ParameterizedTest
    @MethodSource("names")
    void textThatSpellsASpecialTokenIsOrdinary(String name) {
        Tokenizer tokenizer = Tokenizer.named(name);

        int[] tokens = tokenizer.encode("a <|endoftext|> b");

        assertThat(tokens).doesNotContain(tokenizer.separator());
        assertThat(decoded(name, tokens)).isEqualTo("a <|endoftext|> b");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCharacterOfNastyTextIsInItsTokens(String name) {
        String text = Nasty.text(1, 20_000);

        assertThat(decoded(name, Tokenizer.named(name).encode(text))).isEqualTo(text);
    }

    @Test
    void anUnknownNameIsAnsweredWithThoseThatAre() {
        assertThatThrownBy(() -> Tokenizer.named("cl200k"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'cl200k'")
                .hasMessageContaining("r50k_base, p50k_base, p50k_edit, cl100k_base, o200k_base");
    }

    private static String decoded(String name, int... tokens) {
        Encoding encoding = Encodings.newLazyEncodingRegistry().getEncoding(name).orElseThrow();
        IntArrayList list = new IntArrayList(tokens.length);
        for (int token : tokens) {
            list.add(token);
        }
        return new String(encoding.decodeBytes(list), UTF_8);
    }
}
