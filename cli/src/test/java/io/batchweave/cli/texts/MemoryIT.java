package io.batchweave.cli.texts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.batchweave.cli.inputs.JsonLine;
import io.batchweave.cli.tokens.Cuts;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory does not depend on how long inputs are. Each ingest runs in a process of its own. */
class MemoryIT {
    /** The heap that the command is given. */
    private static final int HEAP_MIB = 384;

    /** Room for little more than the vocabulary. */
    private static final int SMALL_HEAP_MIB = 80;

    private static final long MEMORY_KIB_MAX = 1 << 20;

    @TempDir Path folder;

    @Test
    void aLongTextWithoutLineBreaksNeedsNoMoreThanAShortOne() throws Exception {
        Path text = folder.resolve("long.txt");
        String sentence = "The quick brown fox didn't jump over 13 lazy dogs. ";
        repeat(text, sentence, 2_000_000);

        Used used = ingest(SMALL_HEAP_MIB, "-", text);

        assertThat(used.documents()).isEqualTo(1);
        assertThat(used.tokens()).isEqualTo(2_000_000L * 13 + 2); // the last space, the separator
    }

    @Test
    void manyRecordsNeedNoMoreThanAFew() throws Exception {
        Path records = folder.resolve("many.jsonl");
        repeat(records, "{\"id\": 7, \"text\": \"It's a small world, isn't it?\"}\n", 1_000_000);

        Used used = ingest(SMALL_HEAP_MIB, "text", records);

        assertThat(used.documents()).isEqualTo(1_000_000);
    }

    /**
     * All limits at once: the longest record, of three-byte characters, uncut for the longest way.
     */
    @Test
    void theWorstThatIsAcceptedFitsTheHeap() throws Exception {
        Path records = folder.resolve("worst.jsonl");
        String uncut = "漢字仮名交文龍虎".repeat(Cuts.UNCUT_CHARS_MAX / 8 - 1) + ", ";
        String open = "{\"t\":\"";
        int times = (JsonLine.BYTES_MAX - 16) / uncut.getBytes(UTF_8).length;
        repeat(records, open + uncut.repeat(times) + "\"}\n", 1);

        Used used = ingest(HEAP_MIB, "t", records);

        assertThat(used.documents()).isEqualTo(1);
        assertThat(used.memoryKib()).isLessThan(MEMORY_KIB_MAX);
    }

    private record Used(long documents, long tokens, long memoryKib) {}

    private static Used ingest(int heapMib, String field, Path input)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMib + "m");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(IngestProcess.class.getName(), field, input.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).trim();
        assertThat(process.waitFor()).as(output).isZero();
        Scanner numbers = new Scanner(output);
        return new Used(numbers.nextLong(), numbers.nextLong(), numbers.nextLong());
    }

    private static void repeat(Path file, String text, int times) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            for (int time = 0; time < times; time++) {
                writer.write(text);
            }
        }
    }
}
