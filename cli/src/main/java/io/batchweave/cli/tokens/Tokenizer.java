package io.batchweave.cli.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import io.batchweave.errors.InvalidRequestException;
import java.util.Arrays;
import java.util.List;

/** Makes tokens of text. Its vocabularies come with the program: nothing is downloaded. */
public final class Tokenizer {
    /** Keeps each vocabulary once it was used. */
    private static final EncodingRegistry LOADED = Encodings.newLazyEncodingRegistry();

    private final Encoding encoding;
    private final int separator;

    private Tokenizer(EncodingType type) {
        this.encoding = LOADED.getEncoding(type);
        this.separator = endOfText(type);
    }

    /**
     * Loads a vocabulary, once: that takes some tenths of a second and tens of megabytes.
     *
     * @throws InvalidRequestException if there is none of this name
     */
    public static Tokenizer named(String name) {
        return new Tokenizer(
                EncodingType.fromName(name)
                        .orElseThrow(
                                () ->
                                        new InvalidRequestException(
                                                "Cannot tokenize by '"
                                                        + name
                                                        + "': there is no such tokenizer; choose"
                                                        + " one of "
                                                        + String.join(", ", names()))));
    }

    /** The names of all there are. */
    public static List<String> names() {
        return Arrays.stream(EncodingType.values()).map(EncodingType::getName).toList();
    }

    /** The vocabulary's own end-of-text token, which follows every document and pads. */
    public int separator() {
        return separator;
    }

    /** The tokens of {@code text}; what spells a special token is ordinary text here. */
    public int[] encode(String text) {
        return encoding.encodeOrdinary(text).toArray();
    }

    /** The library keeps the numbers of its special tokens to itself. */
    private static int endOfText(EncodingType type) {
        return switch (type) {
            case R50K_BASE, P50K_BASE, P50K_EDIT -> 50256;
            case CL100K_BASE -> 100257;
            case O200K_BASE -> 199999;
        };
    }
}
