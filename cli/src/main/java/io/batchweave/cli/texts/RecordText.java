package io.batchweave.cli.texts;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.batchweave.errors.InvalidRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The document in a JSON record: the texts of chosen fields, in the order chosen, each on a line.
 */
final class RecordText {
    /** Names in data are anybody's: remembering them would let memory grow. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder()
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    .build();

    private final List<String> fields;

    RecordText(List<String> fields) {
        this.fields = List.copyOf(fields);
    }

    /**
     * The text of the record in {@code line}.
     *
     * @param refusal makes an exception of what is wrong with the line
     */
    String read(CharBuffer line, Function<String, InvalidRequestException> refusal) {
        String[] texts = new String[fields.size()];
        eachField(
                line,
                refusal,
                (name, parser) -> {
                    int field = fields.indexOf(name);
                    if (field >= 0) {
                        if (texts[field] != null) {
                            throw refusal.apply("it has the field '" + name + "' twice; drop one");
                        }
                        texts[field] = text(name, parser, refusal);
                    }
                });
        if (Arrays.asList(texts).contains(null)) {
            throw refusal.apply(missing(texts, fields(line, refusal)));
        }
        String text = String.join("\n", texts);
        if (hasLoneSurrogate(text)) {
            throw refusal.apply(
                    "half of a surrogate pair is escaped in it, which is no character; mend it");
        }
        return text;
    }

    /** The names of the fields of the record in {@code line}. */
    static List<String> fields(CharBuffer line, Function<String, InvalidRequestException> refusal) {
        List<String> names = new ArrayList<>();
        eachField(line, refusal, (name, parser) -> names.add(name));
        return names;
    }

    private interface FieldVisitor {
        void visit(String name, JsonParser atValue) throws IOException;
    }

    private static void eachField(
            CharBuffer line,
            Function<String, InvalidRequestException> refusal,
            FieldVisitor visitor) {
        try (JsonParser parser = JSON.createParser(line.array(), 0, line.limit())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw refusal.apply("it is no JSON object; write one object on each line");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                visitor.visit(name, parser);
                parser.skipChildren();
            }
            if (parser.nextToken() != null) {
                throw refusal.apply("more follows its object; write one object on each line");
            }
        } catch (JsonProcessingException e) {
            String what = e.getOriginalMessage().lines().findFirst().orElse("");
            throw refusal.apply("it is broken JSON (" + what + "); mend or drop it");
        } catch (IOException e) {
            throw new UncheckedIOException("Reading memory does not fail", e);
        }
    }

    private static String text(
            String name, JsonParser parser, Function<String, InvalidRequestException> refusal)
            throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw refusal.apply(
                    "its field '"
                            + name
                            + "' is no text but "
                            + parser.currentToken().name().replaceFirst("VALUE_|START_", "")
                            + "; choose another --field, or mend it");
        }
        return parser.getText();
    }

    private String missing(String[] texts, List<String> present) {
        String name = fields.get(Arrays.asList(texts).indexOf(null));
        return "it has no field '"
                + name
                + "' but "
                + String.join(", ", present)
                + "; choose another --field, or mend it";
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (Character.isSurrogate(text.charAt(at))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(at))) {
                    return true;
                }
                at++;
            }
        }
        return false;
    }
}
