package io.batchweave.cli.inputs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for one try of a property. */
public final class Scratch implements AutoCloseable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Path folder;

    public Scratch() throws IOException {
        folder = Files.createTempDirectory("ingest");
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    public Inputs inputs() {
        return Local.inputs(List.of(folder.toString()));
    }

    /**
     * Writes documents in turn to text files and, in pairs, to JSONL files. The mark keeps one that
     * a text may begin with from being dropped.
     */
    public void writeEach(List<String> documents) {
        for (int at = 0; at < documents.size(); at++) {
            String text = documents.get(at);
            if (at % 3 == 0) {
                Texts.write(file("%02d.txt".formatted(at)), BYTE_ORDER_MARK + text);
            } else if (at % 3 == 1) {
                Texts.write(file("%02d.jsonl".formatted(at)), Texts.json("text", text) + "\n");
            } else {
                Texts.append(file("%02d.jsonl".formatted(at - 1)), Texts.json("text", text) + "\n");
            }
        }
        Texts.write(file("99.jsonl"), "\n");
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
