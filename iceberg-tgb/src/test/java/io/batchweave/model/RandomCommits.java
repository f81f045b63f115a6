package io.batchweave.model;

import io.batchweave.model.Entry.CreateDataset;
import io.batchweave.model.Entry.Finish;
import io.batchweave.model.Entry.OpenProducer;
import io.batchweave.model.Entry.Publish;
import io.batchweave.model.Entry.Seal;
import io.batchweave.model.Entry.SealCondition;
import io.batchweave.model.Feature.RequiredOf;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCases;

/** Random values of the model, for properties that hold for all of them. */
public final class RandomCommits {
    private static final long LAST_MS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private RandomCommits() {}

    /**
     * Commits of one to eight entries of every kind; they need make no sense together. The extremes
     * of every field come up inside of them, rather than as commits of nothing but extremes.
     */
    public static Arbitrary<Commit> commits() {
        return Combinators.combine(
                        text(), times(), text(), entries().list().ofMinSize(1).ofMaxSize(8))
                .as(Commit::new)
                .edgeCases(EdgeCases.Config::none);
    }

    public static Arbitrary<Entry> entries() {
        return Arbitraries.oneOf(
                creations(),
                openings(),
                publishes(),
                finishes(),
                seals(),
                RandomJobs.entries(),
                RandomJobs.others());
    }

    static Arbitrary<Entry> creations() {
        return Combinators.combine(
                        ids(),
                        text(),
                        grids(),
                        names().set().ofMaxSize(4),
                        features().list().ofMaxSize(3))
                .as(
                        (id, schema, grid, producers, features) ->
                                new CreateDataset(
                                        id,
                                        schema,
                                        grid.axes(),
                                        new ArrayList<>(producers),
                                        features));
    }

    static Arbitrary<Entry> openings() {
        return Combinators.combine(names(), ids()).as(OpenProducer::new);
    }

    static Arbitrary<Entry> publishes() {
        return Combinators.combine(claims(), bytes(), batches()).as(Publish::new);
    }

    static Arbitrary<Entry> finishes() {
        return Combinators.combine(claims(), bytes()).as(Finish::new);
    }

    static Arbitrary<Entry> seals() {
        return Arbitraries.of(SealCondition.class).map(Seal::new);
    }

    public static Arbitrary<Claim> claims() {
        Arbitrary<Long> numbers = Arbitraries.longs().greaterOrEqual(0);
        return Combinators.combine(names(), numbers, numbers).as(Claim::new);
    }

    public static Arbitrary<GlobalBatch> batches() {
        return Combinators.combine(
                        Arbitraries.integers(),
                        parts().list().ofMinSize(1).ofMaxSize(3),
                        counts().list().uniqueElements(Count::name).ofMaxSize(3),
                        provenances())
                .as(GlobalBatch::new);
    }

    private static Arbitrary<Provenance> provenances() {
        Arbitrary<Source> sources =
                Combinators.combine(
                                text().filter(name -> !name.isEmpty()),
                                Arbitraries.longs().greaterOrEqual(0),
                                Arbitraries.oneOf(digests(), Arbitraries.of(Bytes.EMPTY)),
                                Arbitraries.integers().greaterOrEqual(0))
                        .as(Source::new);
        return sources.list().ofMaxSize(3).flatMap(RandomCommits::provenances);
    }

    private static Arbitrary<Provenance> provenances(List<Source> sources) {
        Arbitrary<Long> numbers = Arbitraries.longs().between(0, Long.MAX_VALUE - 1_000);
        Arbitrary<SourceRows> rows =
                Combinators.combine(
                                Arbitraries.just(0),
                                Arbitraries.integers().between(0, Math.max(0, sources.size() - 1)),
                                numbers,
                                Arbitraries.longs().between(1, 1_000),
                                numbers)
                        .as(SourceRows::new);
        return rows.list()
                .ofMaxSize(sources.isEmpty() ? 0 : 4)
                .map(all -> new Provenance(sources, all));
    }

    static Arbitrary<Part> parts() {
        Arbitrary<Long> room = Arbitraries.longs().between(0, 1L << 20);
        Arbitrary<Slice> shapes =
                Combinators.combine(
                                room,
                                Arbitraries.longs().between(1, Slice.LENGTH_MAX),
                                Arbitraries.longs().between(0, Slice.ROWS_MAX),
                                Arbitraries.integers())
                        .as(Slice::new);
        return Combinators.combine(digests(), shapes.list().ofMinSize(1).ofMaxSize(5), room)
                .as(RandomCommits::part);
    }

    /** Lays slices out one behind the other; the offset of each is the room left before it. */
    private static Part part(Bytes digest, List<Slice> shapes, long roomAtTheEnd) {
        List<Slice> slices = new ArrayList<>();
        long end = 0;
        for (Slice shape : shapes) {
            Slice slice =
                    new Slice(end + shape.offset(), shape.length(), shape.rows(), shape.crc32c());
            slices.add(slice);
            end = slice.end();
        }
        return new Part(end + roomAtTheEnd, digest, slices);
    }

    static Arbitrary<Count> counts() {
        return Combinators.combine(names(), Arbitraries.longs().greaterOrEqual(0)).as(Count::new);
    }

    static Arbitrary<Feature> features() {
        return Combinators.combine(names(), Arbitraries.of(RequiredOf.class)).as(Feature::new);
    }

    static Arbitrary<SliceGrid> grids() {
        Arbitrary<String> axisNames = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(6);
        return Combinators.combine(axisNames, Arbitraries.integers().between(1, 16))
                .as(Axis::new)
                .list()
                .uniqueElements(Axis::name)
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(SliceGrid::new);
    }

    public static Arbitrary<String> names() {
        Arbitrary<String> first = Arbitraries.strings().alpha().numeric().ofLength(1);
        Arbitrary<String> rest =
                Arbitraries.strings().alpha().numeric().withChars('.', '_', '-').ofMaxLength(20);
        Arbitrary<String> last = Arbitraries.strings().alpha().withChars('_', '-').ofLength(1);
        return Combinators.combine(first, rest, last).as((a, b, c) -> a + b + c);
    }

    static Arbitrary<String> ids() {
        return Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                .as((high, low) -> new UUID(high, low).toString());
    }

    public static Arbitrary<Bytes> bytes() {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(64).map(Bytes::copyOf);
    }

    static Arbitrary<Bytes> digests() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofSize(Bytes.SHA256_BYTES)
                .map(Bytes::copyOf);
    }

    static Arbitrary<Instant> times() {
        return Arbitraries.longs().between(0, LAST_MS).map(Instant::ofEpochMilli);
    }

    /** Any text there can be in Unicode, which leaves out halves of surrogate pairs. */
    private static Arbitrary<String> text() {
        Arbitrary<String> plain =
                Arbitraries.strings().withCharRange('\0', '\ud7ff').ofMaxLength(20);
        Arbitrary<String> wide =
                Arbitraries.integers().between(0x1_0000, 0x10_ffff).map(Character::toString);
        return Arbitraries.oneOf(plain, wide);
    }
}
