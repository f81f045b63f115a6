package io.batchweave.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.batchweave.codec.CommitCodec;
import io.batchweave.model.Commit;
import io.batchweave.model.Layout;
import io.batchweave.model.Slice;
import io.batchweave.payload.PayloadSchema;
import io.batchweave.payload.RandomPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What is fuzzed.
 *
 * @param name the folder of its corpus
 * @param seeds inputs from which a search starts
 */
record Target(String name, Class<?> type, Consumer<byte[]> method, Supplier<List<byte[]>> seeds) {
    private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
    private static final Path VECTORS = REPOSITORY.resolve("format-spec/vectors");

    static List<Target> all() {
        return List.of(
                new Target(
                        "commit",
                        CommitTarget.class,
                        CommitTarget::fuzzerTestOneInput,
                        Target::goldenCommits),
                new Target("pack", PackTarget.class, PackTarget::fuzzerTestOneInput, Target::packs),
                new Target(
                        "history",
                        HistoryTarget.class,
                        HistoryTarget::fuzzerTestOneInput,
                        Target::histories),
                new Target(
                        "schema",
                        SchemaTarget.class,
                        SchemaTarget::fuzzerTestOneInput,
                        Target::schemas),
                new Target(
                        "slice",
                        SliceTarget.class,
                        SliceTarget::fuzzerTestOneInput,
                        Target::slices));
    }

    void run(byte[] input) {
        method.accept(input);
    }

    /** Inputs that found something, and those that an earlier search thought worth keeping. */
    List<Path> corpus() {
        return files(corpusFolder());
    }

    Path corpusFolder() {
        return REPOSITORY.resolve("tests/src/test/corpus").resolve(name);
    }

    @Override
    public String toString() {
        return name;
    }

    private static List<byte[]> goldenCommits() {
        return golden("log");
    }

    /** Golden ones, and small ones: they are found out sooner. */
    private static List<byte[]> packs() {
        List<byte[]> inputs = new ArrayList<>();
        for (byte[] pack : golden("packs")) {
            inputs.add(PackTarget.input(ByteBuffer.wrap(pack), Layout.PACKED));
        }
        List<Commit> commits =
                files(VECTORS.resolve("valid/sweeps/log")).stream()
                        .map(path -> CommitCodec.decode(ByteBuffer.wrap(read(path)), "a seed"))
                        .toList();
        for (int count = 1; count <= 3; count++) {
            ByteBuffer pack = CommitCodec.encodePack(commits.subList(0, count)).orElseThrow();
            inputs.add(PackTarget.input(pack, count));
        }
        return inputs;
    }

    private static List<byte[]> golden(String folder) {
        return files(VECTORS).stream()
                .filter(path -> path.getParent().getParent().endsWith(folder))
                .map(Target::read)
                .toList();
    }

    private static List<byte[]> histories() {
        return List.of(
                new byte[] {0, 0, 0, 0, 0, 7, 0, 0, 0, 4, 0, 1, 0, 4, 0, 1, 1, 7, 0, 0, 0},
                new byte[] {
                    3, 0, 0, 0, 0, 0, 1, 0, 1, 7, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 7, 1, 0, 0
                },
                sweeping());
    }

    /**
     * Three steps and a job that comes to the second of them; a sweep, another epoch, and a sweep.
     */
    private static byte[] sweeping() {
        return new byte[] {
            0, 0, 0, 0, 0, 7, 0, 0, 0, 4, 0, 1, 0, 4, 0, 1, 1, 4, 0, 1, 2, 5, 0, 0, 0, 7, 0, 0, 0,
            5, 0, 2, 1, 6, 0, 2, 0, 7, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 4, 0, 4, 3, 6, 0, 2, 2, 7,
            0, 0, 0
        };
    }

    private static List<byte[]> schemas() {
        return Stream.concat(SliceTarget.SCHEMAS.stream(), Stream.of(PayloadSchema.tokens()))
                .map(schema -> schema.json().getBytes(UTF_8))
                .toList();
    }

    private static List<byte[]> slices() {
        List<byte[]> inputs = new ArrayList<>();
        for (int seed = 0; seed < SliceTarget.SCHEMAS.size(); seed++) {
            RandomPart part = RandomPart.of(seed);
            byte[] file = part.file().toArray();
            for (Slice slice : part.slices().subList(0, 2)) {
                int from = (int) slice.offset();
                byte[] bytes = Arrays.copyOfRange(file, from - 2, from + (int) slice.length());
                bytes[0] = (byte) seed;
                bytes[1] = (byte) slice.rows();
                inputs.add(bytes);
            }
        }
        return inputs;
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
