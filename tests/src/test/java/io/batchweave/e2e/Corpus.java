package io.batchweave.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import io.batchweave.testing.TestData;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Questions and answers as JSON lines: real ones, or made-up ones for machines without. */
record Corpus(Path file) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Encoding TOKENS =
            Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);

    private static final int SEPARATOR = 100_257;

    private static final List<String> WORDS =
            List.of("the", "of", "ducks", "eggs", "$2", "per", "Janet’s", "farmers'", "1,319");

    /** The test questions of GSM8K; skips the test where they are not. */
    static Corpus real() {
        return new Corpus(TestData.at("text/gsm8k-test.jsonl", "it is ingested as real text"));
    }

    /** The same questions every time, in {@code file}. */
    static Corpus generated(Path file, int questions) {
        SplittableRandom random = new SplittableRandom(questions);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int question = 0; question < questions; question++) {
                ObjectNode line = JSON.createObjectNode();
                line.put("question", sentence(random)).put("answer", sentence(random));
                out.write(line + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Corpus(file);
    }

    private static String sentence(SplittableRandom random) {
        StringBuilder sentence = new StringBuilder("How");
        for (int words = random.nextInt(60); words > 0; words--) {
            sentence.append(words % 11 == 0 ? "\n" : " ")
                    .append(WORDS.get(random.nextInt(WORDS.size())));
        }
        return sentence.append('?').toString();
    }

    /** How many tokens an ingest of it publishes. */
    long tokens() {
        return tokenIds().size();
    }

    /** What an ingest of it publishes, by the tokenizer itself: a separator follows each line. */
    List<Integer> tokenIds() {
        return ids(lines());
    }

    private static List<Integer> ids(List<JsonNode> lines) {
        List<Integer> ids = new ArrayList<>();
        for (JsonNode line : lines) {
            String text = line.get("question").asText() + "\n" + line.get("answer").asText();
            ids.addAll(TOKENS.encodeOrdinary(text).boxed());
            ids.add(SEPARATOR);
        }
        return ids;
    }

    /** Tokens of the first lines. */
    long tokensBefore(int line) {
        return ids(lines().subList(0, line)).size();
    }

    long documents() {
        return lines().size();
    }

    /** The same, in {@code copy}, whose last line is cut off. */
    Corpus broken(Path copy) {
        return written(copy, text -> text.substring(0, text.length() - 3));
    }

    /** The same, in {@code copy}. */
    Corpus copied(Path copy) {
        return written(copy, text -> text);
    }

    private Corpus written(Path copy, UnaryOperator<String> change) {
        try {
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, change.apply(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Corpus(copy);
    }

    private List<JsonNode> lines() {
        try {
            return JSON.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile()).readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command that ingests it into slices of one row of 512 tokens. */
    String[] ingest(String dataset, String producer, String... more) {
        String[] command = {
            "ingest",
            dataset,
            file.toString(),
            "--field",
            "question,answer",
            "--producer",
            producer,
            "--tokenizer",
            "cl100k_base",
            "--seq-len",
            "512",
            "--rows-per-slice",
            "1"
        };
        String[] all = java.util.Arrays.copyOf(command, command.length + more.length);
        System.arraycopy(more, 0, all, command.length, more.length);
        return all;
    }
}
